// Shows a moving scene with three.js. The scene graph is the `Motion` of the pages that `cutset animate` writes.
import type * as Three from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** The scene graph of runtime/animation/viewer/scene.js. */
interface MotionOf {
  root: Three.Group;
  start: number;
  stop: number;
  now: number;
  nodes: { names: string[]; group: Three.Group }[];
  set(time: number): void;
}

interface SceneData {
  up: [number, number, number];
  low: [number, number, number];
  high: [number, number, number];
  floor: number;
  size: number;
}

// Both are classic scripts of the server, which other pages use too.
declare const THREE: typeof Three & { OrbitControls: typeof OrbitControls };
declare const Motion: new (data: SceneData) => MotionOf;
declare function colorGrid(grid: Three.GridHelper, axes: number, others: number): void;

// The instants at which the extent of the moving parts is taken, less one.
const SAMPLES = 8;

let loading: Promise<void> | null = null;

/** Loads three.js and the scene graph, once. */
export function loadViewer(): Promise<void> {
  loading ??= script("assets/three.min.js").then(() => script("assets/scene.js"));
  return loading;
}

function script(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error(`cannot load ${address}`)));
    document.head.append(element);
  });
}

/** A view of scenes; the camera stays where it is when a new scene of the same model comes. */
export class SceneView {
  private readonly renderer: Three.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private motion: MotionOf | null = null;
  private surroundings = new THREE.Group();
  private grid: Three.GridHelper | null = null;
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly onScheme = () => this.colorGrid();
  private home: { center: Three.Vector3; reach: number; up: Three.Vector3 } | null = null;
  private isWaiting = false;
  /** Scenes that are no longer shown. */
  private gone: Three.Object3D[] = [];

  constructor(canvas: HTMLCanvasElement, private readonly onPick: (name: string) => void) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
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
    const data = JSON.parse(text) as SceneData;
    const now = this.motion?.now ?? null;
    if (this.motion) {
      this.scene.remove(this.motion.root);
      this.gone.push(this.motion.root);
    }
    this.motion = new Motion(data);
    this.scene.add(this.motion.root);
    if (isNew || !this.home) {
      this.surround(data);
      this.goHome();
    }
    this.go(now !== null && !isNew ? now : this.motion.start);
  }

  go(time: number): void {
    this.motion?.set(time);
    this.draw();
  }

  /** Marks the solids of a component. */
  mark(name: string): void {
    for (const mesh of this.meshes()) {
      const material = mesh.material as Three.MeshStandardMaterial;
      const isMarked = name !== "" && (mesh.name === name || mesh.name.startsWith(`${name}.`));
      material.emissive.setHex(isMarked ? 0x1f5fff : 0);
      material.emissiveIntensity = isMarked ? 0.45 : 0;
    }
    this.draw();
  }

  goHome(): void {
    if (!this.home) return;
    const { center, reach, up } = this.home;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    const side = new THREE.Vector3(0.72, 0.42, 1).normalize().applyQuaternion(turn);
    const angle = (Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) * Math.PI) / 360;
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(side, reach / Math.sin(angle));
    this.controls.update();
    this.draw();
  }

  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
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
  private draw(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.renderer.render(this.scene, this.camera);
      // Only now: the new scene has taken over the shaders of the one before, which take longer than all else.
      for (const root of this.gone.splice(0)) dispose(root);
      this.renderer.domElement.dataset["drawn"] = String(Number(this.renderer.domElement.dataset["drawn"] ?? 0) + 1);
    });
  }

  private meshes(): Three.Mesh[] {
    const found: Three.Mesh[] = [];
    this.motion?.root.traverse((each) => {
      if ((each as Three.Mesh).isMesh) found.push(each as Three.Mesh);
    });
    return found;
  }

  /** Extends the box, which has the centers of all solids at all times, by the solids themselves at some times. */
  private extend(low: Three.Vector3, high: Three.Vector3): void {
    const [start, stop] = this.span, center = new THREE.Vector3();
    for (let k = 0; k <= SAMPLES; k++) {
      this.motion?.set(start + ((stop - start) * k) / SAMPLES);
      this.motion?.root.updateMatrixWorld(true);
      for (const mesh of this.meshes()) {
        mesh.geometry.computeBoundingSphere();
        const sphere = mesh.geometry.boundingSphere;
        if (!sphere) continue;
        center.copy(sphere.center).applyMatrix4(mesh.matrixWorld);
        const radius = 0.7 * sphere.radius * mesh.matrixWorld.getMaxScaleOnAxis();
        low.min(center.clone().addScalar(-radius));
        high.max(center.clone().addScalar(radius));
      }
    }
  }

  /** Light, and a grid with lines at round distances. */
  private surround(data: SceneData): void {
    const up = new THREE.Vector3(...data.up), low = new THREE.Vector3(...data.low), high = new THREE.Vector3(...data.high);
    this.extend(low, high);
    const center = low.clone().add(high).multiplyScalar(0.5), reach = Math.max(0.42 * low.distanceTo(high) + 0.06 * data.size, 0.3 * data.size, 1e-6);
    this.home = { center, reach, up };
    this.camera.up.copy(up);
    this.camera.near = 0.02 * reach;
    this.camera.far = 200 * reach;
    this.camera.updateProjectionMatrix();
    this.scene.remove(this.surroundings);
    dispose(this.surroundings);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    const step = round(0.25 * reach), lines = 2 * Math.ceil((1.8 * reach) / step);
    const grid = new THREE.GridHelper(lines * step, lines);
    grid.quaternion.copy(turn);
    grid.position.copy(center).addScaledVector(up, data.floor - center.dot(up));
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(0.7, 1.6, 0.9).applyQuaternion(turn).multiplyScalar(10 * reach).add(center);
    sun.target.position.copy(center);
    this.surroundings = new THREE.Group();
    this.surroundings.add(new THREE.HemisphereLight(0xffffff, 0x8d949c, 1.6), new THREE.AmbientLight(0xffffff, 0.35), sun, sun.target, grid);
    this.scene.add(this.surroundings);
    this.grid = grid;
    this.colorGrid();
  }

  /** Gives the grid the colors of the page, which may change. */
  private colorGrid(): void {
    if (!this.grid) return;
    if (this.dark.matches) colorGrid(this.grid, 0x56606b, 0x363d46);
    else colorGrid(this.grid, 0xa3acb6, 0xd5dbe1);
    this.draw();
  }

  /** Selects the solid under the pointer. */
  private pick(event: MouseEvent): void {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = { x: (2 * (event.clientX - box.left)) / box.width - 1, y: 1 - (2 * (event.clientY - box.top)) / box.height };
    const origin = this.camera.position.clone();
    const ray = new THREE.Vector3(at.x, at.y, 0.5).unproject(this.camera).sub(origin).normalize();
    let best: Three.Mesh | null = null, nearest = Infinity;
    for (const mesh of this.meshes()) {
      mesh.geometry.computeBoundingSphere();
      const sphere = mesh.geometry.boundingSphere;
      if (!sphere) continue;
      const center = sphere.center.clone().applyMatrix4(mesh.matrixWorld), along = center.clone().sub(origin).dot(ray);
      const distance = center.sub(origin).addScaledVector(ray, -along).length();
      const radius = sphere.radius * mesh.matrixWorld.getMaxScaleOnAxis();
      if (along > 0 && distance < radius && distance / radius + 1e-3 * along < nearest) {
        nearest = distance / radius + 1e-3 * along;
        best = mesh;
      }
    }
    if (best) this.onPick(best.name);
  }
}

function dispose(root: Three.Object3D): void {
  root.traverse((each) => {
    const mesh = each as Three.Mesh;
    mesh.geometry?.dispose();
    for (const material of [mesh.material ?? []].flat()) material.dispose();
  });
}

/** 1, 2 or 5 times a power of ten, close to x. */
function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].reduce((a, b) => (Math.abs(b - x / power) < Math.abs(a - x / power) ? b : a));
}
