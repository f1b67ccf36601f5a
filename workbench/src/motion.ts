// Builds the scene graph of an animation and moves it. Needs three.js as THREE, but no document and no screen.
import { rowAt } from "./curves";
import type * as Three from "./three";

declare const THREE: typeof Three;

/** Little-endian numbers in base64: of 32 bits, the times of 64. */
type Numbers = string;
type Triple = [number, number, number];

/** A scene as runtime/animation/page.py writes it. */
export interface SceneData {
  times: Numbers;
  up: Triple;
  low: Triple;
  high: Triple;
  floor: number;
  size: number;
  solids: Record<string, { corners: Numbers; normals: Numbers; triangles: Numbers; bytes: number }>;
  nodes: NodeData[];
  forces: { name: string; place: Numbers; force: Numbers; torque: Numbers }[];
}

interface NodeData {
  names: string[];
  place: Numbers;
  turn: Numbers;
  stretch: Numbers;
  parts: { name: string; solid: string; place: Triple; turn: [number, number, number, number]; size: Triple; color: Triple }[];
}

/** A node that moves: `names` are those of its cuts. */
interface MovingNode {
  names: string[];
  group: Three.Group;
  place: Course;
  turn: Course;
  stretch: Course;
}

function bytes(text: Numbers): ArrayBuffer {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
}

/** A trajectory with `width` numbers in each row; a constant has one row. */
export class Course {
  readonly numbers: Float32Array;
  readonly rows: number;

  constructor(text: Numbers, private readonly width: number) {
    this.numbers = new Float32Array(bytes(text));
    this.rows = this.numbers.length / width;
  }

  /** Copies the numbers of a row into an object. */
  at<T extends Three.Vector3 | Three.Quaternion>(row: number, target: T): T {
    target.fromArray(this.numbers, Math.min(row, this.rows - 1) * this.width);
    return target;
  }

  /** Interpolates between a row and the next at the fraction `part`, from 0 to 1. */
  between<T extends Three.Vector3 | Three.Quaternion>(row: number, part: number, target: T, other: T): void {
    this.at(row, target);
    if (this.rows === 1 || part === 0) return;
    this.at(row + 1, other);
    if (target instanceof THREE.Quaternion) target.slerp(other as Three.Quaternion, part);
    else target.lerp(other as Three.Vector3, part);
  }
}

/** The scene in `data`: `root` holds a group for each node, and `set(t)` moves them to their positions at that time. */
export class Motion {
  readonly root = new THREE.Group();
  readonly nodes: MovingNode[];
  readonly start: number;
  readonly stop: number;
  now = 0;
  /** The last row at or before the time, and the fraction of the way to the next one. */
  row = 0;
  part = 0;
  private readonly times: Float64Array;
  private readonly solids: Record<string, Three.BufferGeometry>;
  private readonly vector = new THREE.Vector3();
  private readonly quaternion = new THREE.Quaternion();

  constructor(readonly data: SceneData) {
    this.times = new Float64Array(bytes(data.times));
    this.start = this.times[0] ?? 0;
    this.stop = this.times.at(-1) ?? 0;
    this.solids = Object.fromEntries(Object.entries(data.solids).map(([name, solid]) => [name, geometry(solid)]));
    this.nodes = data.nodes.map((node) => this.add(node));
    this.set(this.start);
  }

  private add(node: NodeData): MovingNode {
    const group = new THREE.Group();
    group.name = node.names.join(", ");
    for (const part of node.parts) {
      const color = new THREE.Color().setRGB(...part.color, THREE.SRGBColorSpace);
      const mesh = new THREE.Mesh(this.solids[part.solid], new THREE.MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.1 }));
      mesh.name = part.name;
      mesh.position.fromArray(part.place);
      mesh.quaternion.fromArray(part.turn);
      mesh.scale.fromArray(part.size);
      mesh.castShadow = mesh.receiveShadow = true;
      group.add(mesh);
    }
    this.root.add(group);
    const { names, place, turn, stretch } = node;
    return { names, group, place: new Course(place, 3), turn: new Course(turn, 4), stretch: new Course(stretch, 3) };
  }

  private find(t: number): [number, number] {
    const row = rowAt(this.times, t), at = (k: number) => this.times[k] ?? this.stop, width = at(row + 1) - at(row);
    return [row, width > 0 ? Math.min(Math.max((t - at(row)) / width, 0), 1) : 0];
  }

  set(t: number): void {
    this.now = Math.min(Math.max(t, this.start), this.stop);
    [this.row, this.part] = this.find(this.now);
    for (const { group, place, turn, stretch } of this.nodes) {
      place.between(this.row, this.part, group.position, this.vector);
      turn.between(this.row, this.part, group.quaternion, this.quaternion);
      stretch.between(this.row, this.part, group.scale, this.vector);
    }
    this.root.updateMatrixWorld(true);
  }

  /** The solids. */
  meshes(): Three.Mesh[] {
    return this.nodes.flatMap(({ group }) => group.children.filter((each): each is Three.Mesh => each instanceof THREE.Mesh));
  }

  /** The positions of the origins of the frames, by the names of their cuts. */
  positions(): Record<string, number[]> {
    const found = this.nodes.map(({ names, group }) => names.map((name) => [name, group.getWorldPosition(new THREE.Vector3()).toArray()]));
    return Object.fromEntries(found.flat());
  }
}

function geometry(solid: SceneData["solids"][string]): Three.BufferGeometry {
  const shape = new THREE.BufferGeometry(), triangles = bytes(solid.triangles);
  shape.setAttribute("position", new THREE.BufferAttribute(new Float32Array(bytes(solid.corners)), 3));
  shape.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(bytes(solid.normals)), 3));
  shape.setIndex(new THREE.BufferAttribute(solid.bytes === 4 ? new Uint32Array(triangles) : new Uint16Array(triangles), 1));
  return shape;
}
