// Shows a moving scene with three.js: camera, light, ground. The workbench, notebooks, and pages of animations use it.
import { Motion } from "./motion";
import type { SceneData } from "./motion";
import type * as Three from "./three";

// A classic script, which the server has, and which stands in pages and notebooks before the code.
declare const THREE: typeof Three;

// The instants at which the extent of the moving parts is taken, less one.
const SAMPLES = 8;

let loading: Promise<void> | null = null;

/** Loads three.js, once. */
export function loadViewer(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = "assets/three.min.js";
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error(`cannot load ${element.src}`)));
    document.head.append(element);
  });
  return loading;
}

/** What a place that shows scenes has beside the canvas. */
export interface Surroundings {
  /** Called with the name of a solid that the user picks. */
  onPick?: (name: string) => void;
  /** Pixels that panels cover above and below. */
  covered?: () => [number, number];
  /** Called before each picture. */
  onDraw?: () => void;
}

/** A view of scenes; the camera stays where it is when a new scene of the same model comes. */
export class SceneView {
  private readonly renderer: Three.WebGLRenderer;
  readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private readonly controls: Three.OrbitControls;
  motion: Motion | null = null;
  /** Half of the extent of the motion, and the distance of the lines of the grid, in m. */
  reach = 1;
  step = 1;
  private surroundings = new THREE.Group();
  private grid: Three.GridHelper | null = null;
  readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly onScheme = () => this.colorGrid();
  private readonly center = new THREE.Vector3();
  /** Turns the axis 2 upward. */
  private readonly upward = new THREE.Quaternion();
  private isWaiting = false;
  /** Scenes that are no longer shown. */
  private replaced: Three.Object3D[] = [];

  constructor(canvas: HTMLCanvasElement, private readonly beside: Surroundings = {}) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.scene.add(this.surroundings);
    canvas.addEventListener("dblclick", (event) => this.pick(event));
    this.dark.addEventListener("change", this.onScheme);
  }

  /** The times of the motion. */
  get span(): [number, number] {
    return this.motion ? [this.motion.start, this.motion.stop] : [0, 0];
  }

  /** Shows a new scene at the time of the one before; `isNew` also moves the camera home. */
  show(text: string, isNew: boolean): void {
    const before = this.motion, motion = new Motion(JSON.parse(text) as SceneData);
    if (before) {
      this.scene.remove(before.root);
      this.replaced.push(before.root);
    }
    this.motion = motion;
    this.scene.add(motion.root);
    if (isNew || !before) {
      this.surround(motion);
      this.goHome();
    }
    this.go(before && !isNew ? before.now : motion.start);
  }

  go(time: number): void {
    this.motion?.set(time);
    this.draw();
  }

  /** Marks the solids of a component. */
  mark(name: string): void {
    for (const mesh of this.motion?.meshes() ?? []) {
      const material = mesh.material as Three.MeshStandardMaterial;
      const isMarked = name !== "" && (mesh.name === name || mesh.name.startsWith(`${name}.`));
      material.emissive.setHex(isMarked ? 0x1f5fff : 0);
      material.emissiveIntensity = isMarked ? 0.45 : 0;
    }
    this.draw();
  }

  /** Shows everything that moves, seen from slightly above. */
  goHome(): void {
    const [top, bottom] = this.covered(), height = this.renderer.domElement.clientHeight || 1;
    const free = Math.max(0.5, 1 - (top + bottom) / height);
    const side = new THREE.Vector3(0.72, 0.42, 1).normalize().applyQuaternion(this.upward);
    const angle = (Math.min(this.camera.fov * free, this.camera.fov * this.camera.aspect) * Math.PI) / 360;
    this.controls.target.copy(this.center);
    this.camera.position.copy(this.center).addScaledVector(side, this.reach / Math.sin(angle));
    this.controls.update();
    this.draw();
  }

  private covered(): [number, number] {
    return this.beside.covered?.() ?? [0, 0];
  }

  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // The center of the view is the center of the space between the panels.
    const [top, bottom] = this.covered();
    this.camera.setViewOffset(width, height, 0, (bottom - top) / 2, width, height);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  picture(): Promise<Blob | null> {
    return new Promise((resolve) => this.renderer.domElement.toBlob(resolve));
  }

  dispose(): void {
    this.dark.removeEventListener("change", this.onScheme);
    this.controls.dispose();
    this.renderer.dispose();
  }

  /** Draws at the next frame, once. */
  draw(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.beside.onDraw?.();
      this.renderer.render(this.scene, this.camera);
      // Only now: the new scene has taken over the shaders of the one before, which take longer than all else.
      for (const root of this.replaced.splice(0)) dispose(root);
      this.renderer.domElement.dataset["drawn"] = String(Number(this.renderer.domElement.dataset["drawn"] ?? 0) + 1);
    });
  }

  /** Extends the box, which has the centers of all solids at all times, by the solids themselves at some times. */
  private extend(motion: Motion, low: Three.Vector3, high: Three.Vector3): void {
    for (let k = 0; k <= SAMPLES; k++) {
      motion.set(motion.start + ((motion.stop - motion.start) * k) / SAMPLES);
      for (const mesh of motion.meshes()) {
        const ball = ballOf(mesh);
        if (!ball) continue;
        low.min(ball.center.clone().addScalar(-0.7 * ball.radius));
        high.max(ball.center.clone().addScalar(0.7 * ball.radius));
      }
    }
  }

  /** Light, and a grid with lines at round distances and with shadows. */
  private surround(motion: Motion): void {
    const { data } = motion, up = new THREE.Vector3(...data.up);
    const low = new THREE.Vector3(...data.low), high = new THREE.Vector3(...data.high);
    this.extend(motion, low, high);
    this.center.copy(low).add(high).multiplyScalar(0.5);
    this.reach = Math.max(0.42 * low.distanceTo(high) + 0.06 * data.size, 0.3 * data.size, 1e-6);
    this.upward.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    this.camera.up.copy(up);
    this.camera.near = 0.02 * this.reach;
    this.camera.far = 200 * this.reach;
    this.camera.updateProjectionMatrix();
    this.scene.remove(this.surroundings);
    dispose(this.surroundings);
    this.surroundings = new THREE.Group();
    this.surroundings.add(new THREE.HemisphereLight(0xffffff, 0x8d949c, 1.5), new THREE.AmbientLight(0xffffff, 0.35));
    this.surroundings.add(...this.sun(), this.ground(data.floor));
    this.scene.add(this.surroundings);
    this.colorGrid();
  }

  private sun(): Three.Object3D[] {
    const sun = new THREE.DirectionalLight(0xffffff, 2.2), { reach } = this;
    sun.position.set(0.7, 1.6, 0.9).applyQuaternion(this.upward).multiplyScalar(3.2 * reach).add(this.center);
    sun.target.position.copy(this.center);
    sun.castShadow = true;
    Object.assign(sun.shadow.camera, { left: -2.2 * reach, right: 2.2 * reach, top: 2.2 * reach, bottom: -2.2 * reach, near: 0.2 * reach, far: 16 * reach });
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 4;
    sun.shadow.normalBias = 0.008 * reach;
    return [sun, sun.target];
  }

  private ground(floor: number): Three.Group {
    this.step = round(0.25 * this.reach);
    const ground = new THREE.Group(), up = this.camera.up, lines = 2 * Math.ceil((1.8 * this.reach) / this.step), width = lines * this.step;
    const shade = new THREE.Mesh(new THREE.PlaneGeometry(width, width), new THREE.ShadowMaterial({ opacity: 0.28 }));
    shade.rotation.x = -Math.PI / 2;
    shade.position.y = -0.004 * this.reach;
    shade.receiveShadow = true;
    this.grid = new THREE.GridHelper(width, lines);
    ground.add(this.grid, shade);
    ground.quaternion.copy(this.upward);
    ground.position.copy(this.center).addScaledVector(up, floor - this.center.dot(up));
    return ground;
  }

  /** Gives the lines of the grid through its center one color, and the others another; those of the page, which may change. */
  private colorGrid(): void {
    if (!this.grid) return;
    const colors = this.grid.geometry.getAttribute("color"), center = colors.count / 4 - 1;
    const [axes, others] = this.dark.matches ? [0x5b6570, 0x3d4650] : [0x9aa4af, 0xc2cad3];
    for (let k = 0; k < colors.count; k++) {
      const { r, g, b } = new THREE.Color(2 * Math.floor(k / 4) === center ? axes : others);
      colors.setXYZ(k, r, g, b);
    }
    colors.needsUpdate = true;
    this.draw();
  }

  /** Picks the solid under the pointer. */
  private pick(event: MouseEvent): void {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = { x: (2 * (event.clientX - box.left)) / box.width - 1, y: 1 - (2 * (event.clientY - box.top)) / box.height };
    const origin = this.camera.position.clone();
    const ray = new THREE.Vector3(at.x, at.y, 0.5).unproject(this.camera).sub(origin).normalize();
    let best: Three.Mesh | null = null, nearest = Infinity;
    for (const mesh of this.motion?.meshes() ?? []) {
      const ball = ballOf(mesh);
      if (!ball) continue;
      const along = ball.center.sub(origin).dot(ray), distance = ball.center.addScaledVector(ray, -along).length() / ball.radius;
      if (along > 0 && distance < 1 && distance + 1e-3 * along < nearest) {
        nearest = distance + 1e-3 * along;
        best = mesh;
      }
    }
    if (best) this.beside.onPick?.(best.name);
  }
}

/** The ball around a solid where it is now. */
function ballOf(mesh: Three.Mesh): { center: Three.Vector3; radius: number } | null {
  mesh.geometry.computeBoundingSphere();
  const ball = mesh.geometry.boundingSphere;
  return ball && { center: ball.center.clone().applyMatrix4(mesh.matrixWorld), radius: ball.radius * mesh.matrixWorld.getMaxScaleOnAxis() };
}

function dispose(root: Three.Object3D): void {
  root.traverse((each) => {
    const mesh = each as Three.Mesh;
    if (each instanceof THREE.DirectionalLight) each.dispose(); // its map of shadows
    mesh.geometry?.dispose();
    for (const material of [mesh.material ?? []].flat()) material.dispose();
  });
}

/** 1, 2 or 5 times a power of ten, close to x. */
export function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].reduce((a, b) => (Math.abs(b - x / power) < Math.abs(a - x / power) ? b : a));
}
