// What the viewer uses of three.js 0.187.0. three.min.js is made from this file:
//   npm install three@0.187.0 esbuild@0.28.2
//   npx esbuild exports.js --bundle --minify --format=iife --global-name=THREE --legal-comments=inline --outfile=three.min.js
export {
  AmbientLight, BufferAttribute, BufferGeometry, CanvasTexture, Color, CylinderGeometry, DirectionalLight,
  GridHelper, Group, HemisphereLight, LinearFilter, Mesh, MeshStandardMaterial, PCFSoftShadowMap, PerspectiveCamera, PlaneGeometry,
  Quaternion, Scene, ShadowMaterial, Sprite, SpriteMaterial, SRGBColorSpace, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
