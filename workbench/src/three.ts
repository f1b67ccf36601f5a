// Names what the viewer uses of three.js. It becomes a script with the global `THREE`, which all bundles share.
export {
  AmbientLight, BufferAttribute, BufferGeometry, CanvasTexture, Color, CylinderGeometry, DirectionalLight,
  GridHelper, Group, HemisphereLight, LinearFilter, Mesh, MeshStandardMaterial, Object3D, PCFSoftShadowMap,
  PerspectiveCamera, PlaneGeometry, Quaternion, Scene, ShadowMaterial, Sprite, SpriteMaterial, SRGBColorSpace,
  Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
