/**
 * Colours of what is seen through water: light is absorbed along the part of the line of sight that is in the water, and the colour
 * of deep water takes its place, c′ = c T + deep (1 − T), T = exp(−κ s) for red, green and blue.
 *
 * The water ends at a horizontal plane here, without waves. The path s is found for each pixel of a body, so neither a buffer of
 * depths nor an order of drawing is needed. In parallel views s is the depth below the plane, or nothing would be seen from the side.
 */
import * as THREE from "three";

/** Layer of what is cut by the surface of a liquid, so that foam can be drawn around it. */
export const CUTS = 1;

/** Shared by all materials: upward direction and height of the water's end, colour of deep water, absorption [1/m]. */
export const immersion = {
  waterPlane: { value: new THREE.Vector4(0, 0, 1, -1e9) },
  waterDeep: { value: new THREE.Color() },
  waterDims: { value: new THREE.Vector3() },
};

/** Nothing is wet. */
export function dry() {
  immersion.waterPlane.value.set(0, 0, 1, -1e9);
}

/** `waterKeeps` is T for a place of the world, `throughWater` a colour there as it is seen. */
export const IMMERSION = `
uniform vec4 waterPlane;
uniform vec3 waterDeep, waterDims;
vec3 waterKeeps(vec3 at) {
  float low = waterPlane.w - dot(waterPlane.xyz, at);
  float eye = waterPlane.w - dot(waterPlane.xyz, cameraPosition);
  float wet = min(low, eye) >= 0.0 ? 1.0 : max(max(low, eye), 0.0) / max(abs(low - eye), 1e-6);
  return exp(-waterDims * (isOrthographic ? max(low, 0.0) : wet * distance(at, cameraPosition)));
}
vec3 throughWater(vec3 color, vec3 at) {
  // an eye below sees more light above than below
  float up = waterPlane.w > dot(waterPlane.xyz, cameraPosition) ? dot(waterPlane.xyz, normalize(at - cameraPosition)) : 0.0;
  return mix(waterDeep * (1.0 + 0.7 * up), color, waterKeeps(at));
}`;

/** Draws a material as seen through water, where it is. */
export function immerse<M extends THREE.Material>(material: M): M {
  const before = material.onBeforeCompile;
  const key = material.customProgramCacheKey();
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, immersion);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 wetPlace;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nwetPlace = cameraPosition + transpose(mat3(viewMatrix)) * mvPosition.xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 wetPlace;\n${IMMERSION}`)
      // before fog, which lies between the water and the eye
      .replace("#include <opaque_fragment>", "#include <opaque_fragment>\ngl_FragColor.rgb = throughWater(gl_FragColor.rgb, wetPlace);");
  };
  material.customProgramCacheKey = () => `wet ${key}`;
  return material;
}
