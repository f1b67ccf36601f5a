// Builds the page around a Motion: camera, light, ground, arrows, names, and controls.
"use strict";

const FORCE = 0xd0342c, TORQUE = 0x2b6fb5;
const element = (id) => document.getElementById(id);
const vector = (numbers) => new THREE.Vector3().fromArray(numbers);

/** Arrows of one color with lengths proportional to the vectors they show; visible through objects in front of them. */
class Arrows {
  constructor(motion, key, color, unit, size) {
    this.motion = motion;
    this.unit = unit;
    this.size = size;
    this.group = new THREE.Group();
    const material = new THREE.MeshStandardMaterial({ color: color, roughness: 0.6, emissive: color, emissiveIntensity: 0.4, depthTest: false, transparent: true });
    const shaft = new THREE.CylinderGeometry(0.5, 0.5, 1, 12), tip = new THREE.CylinderGeometry(0, 0.5, 1, 16);
    this.arrows = motion.data.forces.map((force) => {
      const arrow = { place: new Course(force.place, 3), value: new Course(force[key], 3), group: new THREE.Group() };
      arrow.shaft = new THREE.Mesh(shaft, material);
      arrow.tip = new THREE.Mesh(tip, material);
      arrow.shaft.renderOrder = arrow.tip.renderOrder = 7;
      arrow.group.add(arrow.shaft, arrow.tip);
      this.group.add(arrow.group);
      return arrow;
    });
    // Units per meter of an arrow: typical values are well visible, a short peak may be long.
    const usual = Math.max(0, ...this.arrows.map(({ value }) => quantile(value, 0.9)));
    this.scale = usual > 0 ? round(usual / (0.25 * size)) : 1;
    this.group.visible = false;
  }

  update() {
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
function quantile(course, share) {
  const lengths = Array.from({ length: course.rows }, (_, k) => Math.hypot(...course.numbers.subarray(3 * k, 3 * k + 3)));
  return lengths.sort((a, b) => a - b)[Math.floor(share * (lengths.length - 1))];
}

/** The axes of a frame: 1 red, 2 green, 3 blue; visible through objects in front of them. */
function cross(length) {
  const axes = new THREE.Group(), shape = new THREE.CylinderGeometry(0.5, 0.5, 1, 8);
  [0xe0312b, 0x2f9e44, 0x2563d0].forEach((color, k) => {
    const material = new THREE.MeshStandardMaterial({ color: 0, emissive: color, depthTest: false, transparent: true });
    const axis = new THREE.Mesh(shape, material), end = new THREE.Vector3().setComponent(k, 1);
    axis.scale.set(0.05 * length, length, 0.05 * length);
    axis.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), end);
    axis.position.copy(end).multiplyScalar(0.5 * length);
    axis.renderOrder = 5;
    axes.add(axis);
  });
  axes.visible = false;
  return axes;
}

/** A label that faces the camera; names are drawn, never parsed as HTML. */
function label(text, height, dark) {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
  const font = "600 22px system-ui, sans-serif";
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 14;
  canvas.height = 32;
  context.font = font;
  context.fillStyle = dark ? "rgba(20,24,29,0.72)" : "rgba(255,255,255,0.78)";
  context.beginPath();
  context.roundRect(0, 0, canvas.width, 32, 7);
  context.fill();
  context.fillStyle = dark ? "#e7ebf0" : "#1d232b";
  context.fillText(text, 7, 24);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.generateMipmaps = false;
  texture.minFilter = THREE.LinearFilter;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false, transparent: true }));
  sprite.scale.set((height * canvas.width) / 32, height, 1);
  sprite.renderOrder = 10;
  return sprite;
}

class Viewer {
  constructor(data) {
    this.motion = new Motion(data);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.up = vector(data.up);
    const low = vector(data.low), high = vector(data.high);
    this.center = low.clone().add(high).multiplyScalar(0.5);
    this.size = data.size;
    this.reach = 0.08 * this.size + reach(this.motion.nodes, this.center);
    this.span = 2 * this.reach;
    this.scene = new THREE.Scene();
    this.scene.add(this.motion.root);
    this.renderer = new THREE.WebGLRenderer({ canvas: element("view"), antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01 * this.span, 100 * this.span);
    this.camera.up.copy(this.up);
    this.controls = new THREE.OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.draw());
    this.turnUp = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up);
    this.light();
    this.ground(data.floor);
    this.decorate();
    this.connect();
    this.resize();
    this.home();
    this.color();
    this.dark.addEventListener("change", () => this.color());
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of ["frames", "forces", "torques", "names"]) if (wanted.has(name)) element(name).click();
    this.go(Number(wanted.get("t") ?? this.motion.start));
  }

  light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8d949c, 1.5), new THREE.AmbientLight(0xffffff, 0.35));
    const sun = new THREE.DirectionalLight(0xffffff, 2.2), reach = 1.1 * this.span;
    sun.position.set(0.7, 1.6, 0.9).multiplyScalar(1.6 * this.span).applyQuaternion(this.turnUp).add(this.center);
    sun.target.position.copy(this.center);
    sun.castShadow = true;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.span, far: 8 * this.span });
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 4;
    sun.shadow.normalBias = 0.004 * this.span;
    this.scene.add(sun, sun.target);
    this.motion.root.traverse((part) => (part.castShadow = part.receiveShadow = true));
  }

  /** A grid with lines at round distances, which the legend shows, and with shadows. */
  ground(floor) {
    const step = round(0.12 * this.span), lines = 2 * Math.ceil((0.9 * this.span) / step);
    const below = this.center.clone().addScaledVector(this.up, floor - this.center.dot(this.up));
    const grid = (this.grid = new THREE.GridHelper(lines * step, lines));
    const shade = new THREE.Mesh(new THREE.PlaneGeometry(lines * step, lines * step), new THREE.ShadowMaterial({ opacity: 0.28 }));
    shade.rotation.x = -Math.PI / 2;
    shade.receiveShadow = true;
    const plane = new THREE.Group();
    shade.position.y = -0.002 * this.span;
    plane.add(grid, shade);
    plane.quaternion.copy(this.turnUp);
    plane.position.copy(below);
    this.scene.add(plane);
    this.step = step;
  }

  /** Takes the color scheme, which may change. */
  color() {
    if (this.dark.matches) colorGrid(this.grid, 0x5b6570, 0x3d4650);
    else colorGrid(this.grid, 0x9aa4af, 0xc2cad3);
    for (const { sprite, mesh } of this.labels) sprite.material = label(mesh.name, 0.03 * this.span, this.dark.matches).material;
    this.draw();
  }

  decorate() {
    const { nodes, data } = this.motion;
    this.axes = nodes.filter(({ names }) => names.length).map(({ group }) => {
      const axes = cross(0.08 * this.size);
      group.add(axes);
      return axes;
    });
    this.labels = [];
    const told = new Set();
    for (const { group } of nodes)
      for (const mesh of group.children.filter((child) => child.isMesh)) {
        if (told.has(mesh.name)) continue;
        told.add(mesh.name);
        const sprite = label(mesh.name, 0.03 * this.span, this.dark.matches);
        sprite.visible = false;
        sprite.center.set(0.5, 0.5);
        this.labels.push({ sprite, mesh });
        this.scene.add(sprite);
      }
    this.arrows = {
      forces: new Arrows(this.motion, "force", FORCE, "N", this.size),
      torques: new Arrows(this.motion, "torque", TORQUE, "N.m", this.size),
    };
    for (const [id, arrows] of Object.entries(this.arrows)) {
      this.scene.add(arrows.group);
      element(id).parentElement.style.display = data.forces.length ? "" : "none";
    }
  }

  connect() {
    const slider = element("time");
    slider.min = this.motion.start;
    slider.max = this.motion.stop;
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    element("play").addEventListener("click", () => this.play(!this.playing));
    element("home").addEventListener("click", () => this.home());
    const shows = { frames: (on) => this.axes.forEach((axes) => (axes.visible = on)), names: (on) => this.labels.forEach(({ sprite }) => (sprite.visible = on)) };
    for (const [id, arrows] of Object.entries(this.arrows)) shows[id] = (on) => (arrows.group.visible = on);
    for (const [id, show] of Object.entries(shows))
      element(id).addEventListener("change", (event) => {
        show(event.target.checked);
        this.tell();
        this.go(this.motion.now);
      });
    addEventListener("resize", () => this.resize());
    addEventListener("keydown", (event) => this.key(event));
    this.tell();
  }

  key(event) {
    if (event.target.matches("input, select, button") && event.key !== "Escape") return;
    const step = (this.motion.stop - this.motion.start) / 100;
    if (event.key === " ") this.play(!this.playing);
    else if (event.key === "ArrowRight") this.go(this.motion.now + step);
    else if (event.key === "ArrowLeft") this.go(this.motion.now - step);
    else if (event.key === "Home") this.go(this.motion.start);
    else if (event.key === "End") this.go(this.motion.stop);
    else return;
    event.preventDefault();
  }

  /** The legend: the scales of the grid and of the arrows. */
  tell() {
    const text = [document.createTextNode(`grid ${short(this.step)} m`)];
    for (const [id, arrows] of Object.entries(this.arrows))
      if (arrows.group.visible) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.style.background = `#${(id === "forces" ? FORCE : TORQUE).toString(16).padStart(6, "0")}`;
        text.push(document.createTextNode(" \u00b7 "), swatch, document.createTextNode(`1 m for ${short(arrows.scale)} ${arrows.unit}`));
      }
    if (element("frames").checked) text.push(document.createTextNode(" \u00b7 axes 1 red, 2 green, 3 blue"));
    element("scales").replaceChildren(...text);
  }

  /** Shows everything that moves, seen from slightly above. */
  home() {
    const side = new THREE.Vector3(0.72, 0.42, 1).normalize().applyQuaternion(this.turnUp);
    const [top, bottom] = covered();
    const free = Math.max(0.5, 1 - (top + bottom) / innerHeight);
    const angle = (Math.min(this.camera.fov * free, this.camera.fov * this.camera.aspect) * Math.PI) / 360;
    this.controls.target.copy(this.center);
    this.camera.position.copy(this.center).addScaledVector(side, (1.1 * this.reach) / Math.sin(angle));
    this.controls.update();
    this.draw();
  }

  resize() {
    this.renderer.setSize(innerWidth, innerHeight, false);
    this.camera.aspect = innerWidth / innerHeight;
    // The center of the view is the center of the space between the two panels.
    const [top, bottom] = covered();
    this.camera.setViewOffset(innerWidth, innerHeight, 0, (bottom - top) / 2, innerWidth, innerHeight);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  play(on) {
    if (on && this.motion.now >= this.motion.stop) this.go(this.motion.start);
    this.playing = on;
    element("play").textContent = on ? "\u23f8\ufe0e" : "\u25b6\ufe0e";
    element("play").setAttribute("aria-label", on ? "pause" : "play");
    this.last = null;
    if (on) requestAnimationFrame((instant) => this.advance(instant));
  }

  advance(instant) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : (instant - this.last) / 1000;
    this.last = instant;
    this.go(this.motion.now + passed * Number(element("speed").value));
    if (this.motion.now >= this.motion.stop) this.play(false);
    else requestAnimationFrame((next) => this.advance(next));
  }

  /** Moves the scene to this time. */
  go(t) {
    this.motion.set(Number.isFinite(t) ? t : this.motion.start);
    for (const { sprite, mesh } of this.labels) if (sprite.visible) mesh.getWorldPosition(sprite.position);
    for (const arrows of Object.values(this.arrows)) arrows.update();
    element("time").value = this.motion.now;
    element("now").textContent = `${this.motion.now.toFixed(3)} s`;
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }
}

/** How many pixels the panels cover above and below. */
function covered() {
  const [above, below] = ["header", "footer"].map((name) => document.querySelector(name).getBoundingClientRect());
  return [above.bottom, innerHeight - below.top];
}

/** The largest distance of the center of a solid, or of an origin, from this point at any time. */
function reach(nodes, center) {
  const point = new THREE.Vector3(), other = new THREE.Vector3(), turned = new THREE.Quaternion(), zero = new THREE.Vector3();
  let far = 0;
  for (const { group, place, turn, stretch } of nodes) {
    const middles = [zero, ...group.children.filter((part) => part.isMesh).map((part) => part.position)];
    for (let row = 0; row < Math.max(place.rows, turn.rows); row++)
      for (const middle of middles) {
        point.copy(middle).multiply(stretch.at(row, other)).applyQuaternion(turn.at(row, turned));
        far = Math.max(far, point.add(place.at(row, other)).distanceTo(center));
      }
  }
  return far;
}

/** 1, 2 or 5 times a power of ten, close to x. */
function round(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].reduce((a, b) => (Math.abs(b - x / power) < Math.abs(a - x / power) ? b : a));
}

const short = (x) => String(Number(x.toPrecision(3)));

try {
  globalThis.viewer = new Viewer(JSON.parse(element("data").textContent));
} catch (error) {
  element("trouble").hidden = false;
  element("trouble").textContent = `This browser cannot show the animation: ${error.message}`;
  throw error;
}
