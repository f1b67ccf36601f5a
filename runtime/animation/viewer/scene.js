// Builds the scene graph and moves it. Needs three.js as THREE, but no document and no screen.
"use strict";

/** Decodes little-endian numbers in base64. */
function decoded(text, Kind) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Kind(bytes.buffer);
}

/** A trajectory with `width` numbers in each row; a constant has one row. */
class Course {
  constructor(text, width) {
    this.numbers = decoded(text, Float32Array);
    this.width = width;
    this.rows = this.numbers.length / width;
  }

  /** Copies the numbers of a row into an object with fromArray. */
  at(row, target) {
    return target.fromArray(this.numbers, Math.min(row, this.rows - 1) * this.width);
  }

  /** Interpolates between a row and the next at the fraction `part`, from 0 to 1. */
  between(row, part, target, other) {
    this.at(row, target);
    if (this.rows === 1 || part === 0) return target;
    this.at(row + 1, other);
    return target.slerp ? target.slerp(other, part) : target.lerp(other, part);
  }
}

/** The scene in `data`: `root` holds a group for each node, and `set(t)` moves them to their positions at that time. */
class Motion {
  constructor(data) {
    this.data = data;
    this.times = decoded(data.times, Float64Array);
    this.start = this.times[0];
    this.stop = this.times[this.times.length - 1];
    this.root = new THREE.Group();
    this.solids = Object.fromEntries(Object.entries(data.solids).map(([name, solid]) => [name, geometry(solid)]));
    this.nodes = data.nodes.map((node) => this.add(node));
    this.vector = new THREE.Vector3();
    this.quaternion = new THREE.Quaternion();
    this.set(this.start);
  }

  add(node) {
    const group = new THREE.Group();
    group.name = node.names.join(", ");
    for (const part of node.parts) {
      const color = new THREE.Color().setRGB(...part.color, THREE.SRGBColorSpace);
      const material = new THREE.MeshStandardMaterial({ color: color, roughness: 0.55, metalness: 0.1 });
      const mesh = new THREE.Mesh(this.solids[part.solid], material);
      mesh.name = part.name;
      mesh.position.fromArray(part.place);
      mesh.quaternion.fromArray(part.turn);
      mesh.scale.fromArray(part.size);
      group.add(mesh);
    }
    this.root.add(group);
    return {
      names: node.names,
      group,
      place: new Course(node.place, 3),
      turn: new Course(node.turn, 4),
      stretch: new Course(node.stretch, 3),
    };
  }

  /** The last row at or before the time, and the fraction of the way to the next one. */
  find(t) {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    const width = low + 1 < this.times.length ? this.times[low + 1] - this.times[low] : 0;
    return [low, width > 0 ? Math.min(Math.max((t - this.times[low]) / width, 0), 1) : 0];
  }

  set(t) {
    this.now = Math.min(Math.max(t, this.start), this.stop);
    [this.row, this.part] = this.find(this.now);
    for (const { group, place, turn, stretch } of this.nodes) {
      place.between(this.row, this.part, group.position, this.vector);
      turn.between(this.row, this.part, group.quaternion, this.quaternion);
      stretch.between(this.row, this.part, group.scale, this.vector);
    }
    this.root.updateMatrixWorld(true);
  }

  /** The positions of the origins of the frames, by the names of their cuts. */
  positions() {
    const found = {};
    for (const { names, group } of this.nodes) {
      const place = group.getWorldPosition(new THREE.Vector3()).toArray();
      for (const name of names) found[name] = place;
    }
    return found;
  }
}

function geometry(solid) {
  const shape = new THREE.BufferGeometry();
  shape.setAttribute("position", new THREE.BufferAttribute(decoded(solid.corners, Float32Array), 3));
  shape.setAttribute("normal", new THREE.BufferAttribute(decoded(solid.normals, Float32Array), 3));
  shape.setIndex(new THREE.BufferAttribute(decoded(solid.triangles, solid.bytes === 4 ? Uint32Array : Uint16Array), 1));
  return shape;
}

/** Gives the lines of a grid through its center one color, and the others another. */
function colorGrid(grid, axes, others) {
  const colors = grid.geometry.getAttribute("color"), center = colors.count / 4 - 1;
  for (let k = 0; k < colors.count; k++) {
    const { r, g, b } = new THREE.Color(2 * Math.floor(k / 4) === center ? axes : others);
    colors.setXYZ(k, r, g, b);
  }
  colors.needsUpdate = true;
}
