// Draws what explains a motion: arrows of forces, axes of frames, names of solids.
import { Course } from "./motion";
import type { Motion } from "./motion";
import { round } from "./scene";
import type * as Three from "./three";

declare const THREE: typeof Three;

const ABOVE = 5; // Rendered after the solids, and visible through them.

/** A material that is visible through objects in front of it. */
function shining(color: number, part: number): Three.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({ color, roughness: 0.6, emissive: color, emissiveIntensity: part, depthTest: false, transparent: true });
}

interface Arrow {
  place: Course;
  value: Course;
  group: Three.Group;
  shaft: Three.Mesh;
  tip: Three.Mesh;
}

/** Arrows of one color with lengths proportional to the vectors that they show. */
export class Arrows {
  readonly group = new THREE.Group();
  /** Units per meter of an arrow. */
  readonly scale: number;
  private readonly arrows: Arrow[];
  private readonly size: number;

  constructor(private readonly motion: Motion, key: "force" | "torque", readonly color: number, readonly unit: string) {
    this.size = motion.data.size;
    const material = shining(color, 0.4);
    const shaft = new THREE.CylinderGeometry(0.5, 0.5, 1, 12), tip = new THREE.CylinderGeometry(0, 0.5, 1, 16);
    this.arrows = motion.data.forces.map((force) => {
      const arrow = {
        place: new Course(force.place, 3), value: new Course(force[key], 3), group: new THREE.Group(),
        shaft: new THREE.Mesh(shaft, material), tip: new THREE.Mesh(tip, material),
      };
      arrow.shaft.renderOrder = arrow.tip.renderOrder = ABOVE + 2;
      arrow.group.add(arrow.shaft, arrow.tip);
      this.group.add(arrow.group);
      return arrow;
    });
    // Typical values are well visible, a short peak may be long.
    const usual = Math.max(0, ...this.arrows.map(({ value }) => quantile(value, 0.9)));
    this.scale = usual > 0 ? round(usual / (0.25 * this.size)) : 1;
    this.group.visible = false;
  }

  update(): void {
    if (!this.group.visible) return;
    const { row, part } = this.motion, value = new THREE.Vector3(), other = new THREE.Vector3();
    for (const arrow of this.arrows) {
      arrow.place.between(row, part, arrow.group.position, other);
      arrow.value.between(row, part, value, other);
      const length = value.length() / this.scale;
      arrow.group.visible = length > 1e-3 * this.size;
      if (!arrow.group.visible) continue;
      arrow.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), value.normalize());
      const head = Math.min(0.04 * this.size, 0.5 * length);
      arrow.tip.position.set(0, length - 0.5 * head, 0);
      arrow.tip.scale.set(0.5 * head, head, 0.5 * head);
      arrow.shaft.position.set(0, 0.5 * (length - head), 0);
      arrow.shaft.scale.set(0.009 * this.size, length - head, 0.009 * this.size);
    }
  }
}

/** The length that this fraction of the vectors of a trajectory does not exceed. */
function quantile(course: Course, share: number): number {
  const lengths = Array.from({ length: course.rows }, (_, k) => Math.hypot(...course.numbers.subarray(3 * k, 3 * k + 3)));
  return lengths.sort((a, b) => a - b)[Math.floor(share * (lengths.length - 1))] ?? 0;
}

/** The axes of all frames that have a name: 1 red, 2 green, 3 blue. */
export function frameAxes({ nodes, data }: Motion): Three.Group[] {
  return nodes.filter(({ names }) => names.length).map(({ group }) => {
    const axes = cross(0.08 * data.size);
    group.add(axes);
    return axes;
  });
}

function cross(length: number): Three.Group {
  const axes = new THREE.Group(), shape = new THREE.CylinderGeometry(0.5, 0.5, 1, 8);
  [0xe0312b, 0x2f9e44, 0x2563d0].forEach((color, k) => {
    const axis = new THREE.Mesh(shape, shining(color, 1)), end = new THREE.Vector3().setComponent(k, 1);
    axis.material.color.setHex(0);
    axis.scale.set(0.05 * length, length, 0.05 * length);
    axis.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), end);
    axis.position.copy(end).multiplyScalar(0.5 * length);
    axis.renderOrder = ABOVE;
    axes.add(axis);
  });
  axes.visible = false;
  return axes;
}

/** Names that follow their solids and face the camera. */
export class Labels {
  readonly group = new THREE.Group();
  private readonly labels: { sprite: Three.Sprite; mesh: Three.Mesh }[];

  constructor(motion: Motion, private readonly height: number, isDark: boolean) {
    const first = new Map([...motion.meshes()].reverse().map((mesh) => [mesh.name, mesh]));
    this.labels = [...first.values()].map((mesh) => ({ mesh, sprite: new THREE.Sprite() }));
    this.group.add(...this.labels.map(({ sprite }) => sprite));
    for (const { sprite } of this.labels) sprite.renderOrder = ABOVE + 5;
    this.group.visible = false;
    this.color(isDark);
  }

  color(isDark: boolean): void {
    for (const { sprite, mesh } of this.labels) {
      const picture = drawn(mesh.name, isDark), texture = new THREE.CanvasTexture(picture);
      texture.colorSpace = THREE.SRGBColorSpace;
      texture.generateMipmaps = false;
      texture.minFilter = THREE.LinearFilter;
      sprite.material = new THREE.SpriteMaterial({ map: texture, depthTest: false, transparent: true });
      sprite.scale.set((this.height * picture.width) / picture.height, this.height, 1);
    }
  }

  update(): void {
    if (this.group.visible) for (const { sprite, mesh } of this.labels) mesh.getWorldPosition(sprite.position);
  }
}

/** A picture of a name, which is drawn, never parsed as HTML. */
function drawn(text: string, isDark: boolean): HTMLCanvasElement {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d"), font = "600 22px system-ui, sans-serif";
  if (!context) return canvas;
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 14;
  canvas.height = 32;
  context.font = font;
  context.fillStyle = isDark ? "rgba(20,24,29,0.72)" : "rgba(255,255,255,0.78)";
  context.beginPath();
  context.roundRect(0, 0, canvas.width, 32, 7);
  context.fill();
  context.fillStyle = isDark ? "#e7ebf0" : "#1d232b";
  context.fillText(text, 7, 24);
  return canvas;
}
