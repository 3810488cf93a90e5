/**
 * The surface of a liquid: a lattice around what is looked at, fine in the middle and coarser towards the horizon, raised in the
 * vertex shader by η = r(t) Σ a cos θ (see waves.ts). Normals come from the gradient of the same sum.
 *
 * The physics sums the same components in f64. Here phases at the middle of the lattice are found in f64 and the sum in f32, so the
 * drawn surface may differ from the physics by round-off. Components shorter than about 2.5 cells of the lattice are left out.
 *
 * A pixel is sky by Fresnel's law, a glint of the sun, and the colour of the liquid; what is below shines through, with the colours of
 * immersion.ts. Ripples tilt the normals only, in calm water too. No depth is written: bodies are picked, ghosts are drawn and corners
 * are darkened as if there were no surface. Foam needs the depth of the bodies, which is drawn first where there is foam (`survey`).
 */
import * as THREE from "three";
import type { Fluid } from "../protocol";
import { lay } from "./ground";
import { CUTS, immerse, immersion, IMMERSION } from "./immersion";
import { NOISE } from "./noise";
import { isFine, type Quality } from "./quality";
import { SKY } from "./sky";
import { elevation, rampFactor, significantAmplitude, termsOf, type Term } from "./waves";

/** Most terms that are drawn; of more, those of the largest amplitude. */
const MOST_TERMS = 256;
/** Uniforms of the vertex shader, in vectors, for all but the terms: graphics with few uniforms draw fewer terms. */
const OTHER_UNIFORMS = 56;
/** Where the lattice ends, from its middle [m]: beyond the far end of what the eye sees. */
const REACH = 6000;
/** Cells of the lattice from its middle to its edge, and those of them that have the same size. */
const CELLS: Record<Quality | "calm", { all: number; even: number }> = { calm: { all: 12, even: 4 }, coarse: { all: 48, even: 30 }, low: { all: 48, even: 30 }, medium: { all: 96, even: 62 }, high: { all: 128, even: 84 } };
/** Cells per wave of the shortest that matters. */
const PER_WAVE = 10;
/** Share of the variance that may be in shorter waves. */
const SHORT = 0.1;
/** How far one sees in the liquid: a part of the scene's size within bounds [m]. */
const CLARITY = { part: 0.4, least: 3, most: 25 };
/** After so many of those lengths nothing is seen. */
const DARK = 5;
/** Colour of the bed. */
const SAND = 0xb9a783;
/** Width of the foam relative to the clarity. */
const FOAM = 0.03;

/** What the surface shares with the sky: its uniforms, the same objects. */
export type SkyLook = Record<string, THREE.IUniform>;

const VERTEX = `
uniform vec4 terms[TERMS];
uniform int count;
uniform float ramp, unit, even, growth, level;
uniform vec2 middle;
uniform mat2 order;
varying vec3 place, toEye, room;
varying vec3 wave;
#include <common>
#include <fog_pars_vertex>
#include <shadowmap_pars_vertex>
/** Number of a line of the lattice → distance from the middle and size of the cell there, in even cells. */
vec2 line(float n) {
  float beyond = max(abs(n) - even, 0.0);
  float grown = pow(growth, beyond);
  return vec2(sign(n) * (min(abs(n), even) + (grown - 1.0) / (growth - 1.0)), grown);
}
void main() {
  vec2 n = order * position.xy;
  vec2 lx = line(n.x);
  vec2 ly = line(n.y);
  vec2 off = vec2(lx.x, ly.x) * unit;
  float cell = max(lx.y, ly.y) * unit;
  // height and slope, waves by increasing wavenumber
  wave = vec3(0.0);
  for (int i = 0; i < count; i++) {
    vec4 term = terms[i];
    float fine = length(term.yz) * cell;
    if (fine > 2.5) break;
    float angle = dot(term.yz, off) + term.w;
    float high = term.x * (1.0 - smoothstep(1.2, 2.5, fine));
    wave += vec3(high * cos(angle), -high * sin(angle) * term.yz);
  }
  wave *= ramp;
  place = vec3(middle + off, level + wave.x);
  vec4 worldPosition = modelMatrix * vec4(place, 1.0);
  room = worldPosition.xyz;
  vec4 mvPosition = viewMatrix * worldPosition;
  gl_Position = projectionMatrix * mvPosition;
  vec3 way = isOrthographic ? vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z) : cameraPosition - room;
  toEye = transpose(mat3(modelMatrix)) * way;
  // a section seen from the side is a line, about two pixels thick: its front edge is drawn lower than its back edge
  if (isOrthographic && abs(toEye.z) < 0.5) gl_Position.y -= 0.006 * clamp(dot(off, toEye.xy) / (1.5 * unit), -1.0, 1.0);
  vec3 transformedNormal = normalMatrix * normalize(vec3(-wave.yz, 1.0));
  #include <shadowmap_vertex>
  #include <fog_vertex>
}`;

const FRAGMENT = `
uniform vec3 color, tone;
uniform float time, amplitude, wet, grain, foam, near, far, unit;
uniform vec2 middle;
uniform sampler2D depths;
uniform vec4 pane;
varying vec3 place, toEye, room;
varying vec3 wave;
#include <common>
#include <packing>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
${IMMERSION}
${NOISE}
${SKY}
/** Slope of the value noise. */
vec2 tilt(vec2 p) {
  vec2 i = floor(p);
  vec2 f = fract(p);
  vec2 u = f * f * (3.0 - 2.0 * f);
  vec2 du = 6.0 * f * (1.0 - f);
  float a = hash(i), b = hash(i + vec2(1.0, 0.0)), c = hash(i + vec2(0.0, 1.0)), d = hash(i + vec2(1.0, 1.0));
  return du * vec2(b - a + (a - b - c + d) * u.y, c - a + (a - b - c + d) * u.x);
}
/** Slope of the ripples; those smaller than a pixel become roughness. */
vec3 ripples(vec2 p, float pixel) {
  vec3 sum = vec3(0.0);
  #ifdef FINE
  vec2 q = p;
  float size = 16.0 * grain;
  float steep = 0.035;
  for (int k = 0; k < 6; k++) {
    float keep = 1.0 - smoothstep(0.15, 0.6, pixel / size);
    float drift = time * sqrt(0.5 / size);
    vec2 way = k % 2 == 0 ? vec2(0.8, 0.45) : vec2(-0.35, 0.75);
    sum.xy += keep * steep * tilt(q / size + way * drift);
    sum.z += (1.0 - keep * keep) * steep * steep;
    q = mat2(0.8, 0.6, -0.6, 0.8) * q + 7.3;
    size *= 0.43;
    steep *= 1.06;
  }
  #else
  // a sine bent by another
  float keep = 1.0 - min(pixel / grain, 1.0);
  vec2 q = p / grain;
  sum.xy = keep * 0.035 * cos(vec2(1.9, 2.3) * q.x + vec2(1.4, -1.7) * q.y + 2.0 * sin(0.37 * q.x - 0.61 * q.y + 0.5 * time) + vec2(1.3, 1.7) * time);
  #endif
  return sum;
}
void main() {
  float away = isOrthographic ? 0.0 : length(toEye);
  vec3 v = normalize(toEye);
  // in views from the side a section is shown, or one wave would cover the other and all bodies
  if (isOrthographic && abs(v.z) < 0.5 && abs(dot(vec3(place.xy - middle, 0.0), v)) > 1.5 * unit) discard;
  // the other side is seen only through a crest, and there as flat as it can be seen
  bool under = wet > 0.5;
  #ifdef FINE
  float pixel = max(length(dFdx(place.xy)), length(dFdy(place.xy)));
  #else
  // about a thousandth of the distance, more where the surface is seen flat
  float pixel = 0.001 * away / max(abs(v.z), 0.05);
  #endif
  vec3 small = ripples(place.xy, pixel);
  vec3 n = normalize(vec3(-wave.yz - small.xy, 1.0));
  if (under) n = -n;
  float facing = clamp(dot(n, v), 0.02, 1.0);
  float lit = 1.0;
  #ifdef FINE
  lit = mix(0.55, 1.0, getShadowMask());
  #endif
  vec3 c;
  float alpha;
  if (!under) {
    float graze = 1.0 - facing;
    float veil = 0.12 + 0.88 * graze * graze * graze;
    #ifdef FINE
    // a rough surface mirrors less at grazing angles
    float rough = clamp(sqrt(0.0009 + small.z), 0.03, 0.16);
    float mirror = 0.02 + 0.98 * pow(graze, 5.0 * exp(-2.69 * rough)) / (1.0 + 22.7 * pow(rough, 1.5));
    #else
    float rough = 0.08;
    float mirror = 0.02 + 0.6 * graze * graze * graze * graze;
    #endif
    vec3 r = reflect(-v, n);
    #ifdef FINE
    vec3 seen = sky(normalize(vec3(r.xy, abs(r.z) + 1.5 * rough)));
    #else
    vec3 seen = mix(horizon, top, sqrt(abs(r.z) + 0.05));
    #endif
    // crests let light through
    float crest = clamp(0.5 * wave.x / max(amplitude, 1e-3), 0.0, 1.0) * min(1.0, amplitude);
    vec3 body = lit * (waterDeep * (0.82 + 0.3 * max(dot(n, sunward), 0.0)) * (1.0 + 0.5 * crest) + 0.05 * crest * tone * color);
    alpha = mirror + (1.0 - mirror) * veil;
    vec3 through = mirror * seen + (1.0 - mirror) * veil * body;
    #ifdef FINE
    // the sun on ripples: the rougher, the wider and weaker
    float spread = 1.0 / (2.0 * rough * rough + 0.0008);
    float facet = max(dot(n, normalize(v + sunward)), 0.0);
    float glint = glow * 0.012 * spread * pow(facet, spread * 1.5) * (0.25 + mirror) * (lit * 2.0 - 1.0);
    glint = min(glint, 1.2);
    alpha = min(1.0, alpha + 0.6 * glint);
    through += glint * vec3(1.0, 0.95, 0.85);
    #endif
    c = through / alpha;
    #ifdef FOAM
    if (foam > 0.0) {
      float d = texture2D(depths, (gl_FragCoord.xy - pane.xy) / pane.zw).x;
      float behind = isOrthographic ? d * (far - near) + near : -perspectiveDepthToViewZ(d, near, far);
      float here = isOrthographic ? gl_FragCoord.z * (far - near) + near : -perspectiveDepthToViewZ(gl_FragCoord.z, near, far);
      // thickness of the liquid, across the line of sight where that is flat
      float thick = (behind - here) * mix(0.35, 1.0, abs(v.z));
      float edge = step(-0.3 * foam, thick) * (1.0 - smoothstep(0.0, foam * (0.5 + fbm(place.xy / foam * 0.5 + 0.3 * time)), thick));
      float bubbles = 0.6 + 0.4 * smoothstep(0.3, 0.7, noise(place.xy / foam * 3.0 - 0.5 * time));
      float white = 0.75 * edge * bubbles * (1.0 - smoothstep(30.0, 150.0, away / foam * 0.1));
      c = mix(c, tone * 0.9 * lit, white);
      alpha = mix(alpha, 1.0, white);
    }
    #endif
  } else {
    // beyond the angle of total reflection the liquid is mirrored
    float past = 1.777 * (1.0 - facing * facing);
    float mirror = 0.02 + 0.98 * smoothstep(0.75, 1.02, past);
    vec3 sheen = waterDeep * (1.1 + 4.0 * clamp(dot(n.xy, sunward.xy), -0.15, 0.4)) + 0.06 * tone * color;
    vec3 light = mix(sheen, horizon, 0.4 * (1.0 - mirror));
    alpha = 0.18 + 0.82 * mirror;
    c = throughWater(light, room);
  }
  gl_FragColor = vec4(c, alpha);
  #include <colorspace_fragment>
  #ifdef USE_FOG
  float haze = smoothstep(fogNear, fogFar, vFogDepth);
  gl_FragColor = mix(gl_FragColor, vec4(fogColor, 1.0), haze);
  #endif
}`;

/** Of all terms those that are drawn, by increasing wavenumber. */
function drawnTerms(fluid: Fluid, most: number): Term[] {
  const all = termsOf(fluid.waves);
  if (all.length <= most) return all;
  const least = all.map((w) => Math.abs(w.amplitude)).sort((a, b) => b - a)[most - 1]!;
  return all.filter((w) => Math.abs(w.amplitude) >= least).slice(0, most);
}

/** Length of the shortest waves that matter [m]; infinite without waves. */
function shortest(terms: Term[]): number {
  let left = SHORT * terms.reduce((sum, w) => sum + w.amplitude ** 2, 0);
  for (const w of [...terms].reverse()) {
    left -= w.amplitude ** 2;
    if (left < 0) return (2 * Math.PI) / Math.hypot(w.kx, w.ky);
  }
  return Infinity;
}

/** Growth of cells from one to the next, so that so many end at a distance, in cells of size 1: Σ gⁱ = distance. */
export function growthTo(cells: number, distance: number): number {
  let [low, high] = [1.0001, 4];
  for (let i = 0; i < 50; i++) {
    const g = (low + high) / 2;
    if ((g ** cells - 1) / (g - 1) < distance) low = g;
    else high = g;
  }
  return low;
}

class Surface {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private terms: Term[];
  private numbers: Float32Array;
  private shortest: number;
  private cells: { all: number; even: number };
  private foamWidth: number;

  constructor(
    readonly fluid: Fluid,
    quality: Quality,
    sky: SkyLook,
    clarity: number,
    size: number,
    maxUniforms: number,
  ) {
    this.terms = drawnTerms(fluid, Math.min(MOST_TERMS, maxUniforms - OTHER_UNIFORMS));
    this.shortest = shortest(this.terms);
    this.cells = CELLS[this.terms.length > 0 ? quality : "calm"];
    const room = Math.max(1, this.terms.length);
    this.numbers = new Float32Array(4 * room);
    const fine = isFine(quality);
    const material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      fog: true,
      lights: fine,
      defines: { TERMS: room, ...(fine && { FINE: "" }), ...(quality === "high" && { FOAM: "" }) },
      uniforms: {
        ...THREE.UniformsUtils.clone(THREE.UniformsLib.fog),
        ...(fine && THREE.UniformsUtils.clone(THREE.UniformsLib.lights)),
        terms: { value: this.numbers },
        count: { value: this.terms.length },
        ramp: { value: 1 },
        unit: { value: 1 },
        even: { value: this.cells.even },
        growth: { value: 2 },
        level: { value: fluid.level },
        middle: { value: new THREE.Vector2() },
        order: { value: new THREE.Matrix2() },
        color: { value: new THREE.Color().setRGB(...fluid.color, THREE.SRGBColorSpace) },
        time: { value: 0 },
        amplitude: { value: significantAmplitude(this.terms) },
        wet: { value: 0 },
        // ripples of a tank are smaller than those of a sea
        grain: { value: Math.min(1, Math.max(0.1, size / 15)) },
        foam: { value: 0 },
        near: { value: 1 },
        far: { value: 2 },
        depths: { value: null },
        pane: { value: new THREE.Vector4(0, 0, 1, 1) },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
    });
    // the same objects as those of the sky and of the wet materials
    Object.assign(material.uniforms, sky, immersion);
    material.blending = THREE.CustomBlending;
    [material.blendSrc, material.blendDst, material.blendDstAlpha] = [THREE.SrcAlphaFactor, THREE.OneMinusSrcAlphaFactor, THREE.OneMinusSrcAlphaFactor];
    this.foamWidth = FOAM * clarity;
    this.mesh = new THREE.Mesh(lattice(this.cells.all), material);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = fine;
    // after bodies and the grid, before ghosts
    this.mesh.renderOrder = 2;
  }

  /** Lays the lattice around a place, raised as at a time [s]; phases are reduced here, in f64. */
  update(time: number, target: THREE.Vector3, distance: number, eye: THREE.Vector3, wet: boolean) {
    const { all, even } = this.cells;
    const { uniforms } = this.mesh.material;
    // as wide as the view, in powers of 2 so that it seldom changes, but fine enough for the waves
    const wide = 2 ** Math.ceil(Math.log2(Math.max(1, 1.5 * distance)));
    const unit = Math.min(wide / even, Math.max(this.shortest / PER_WAVE, (0.25 * wide) / even));
    if (uniforms.unit!.value !== unit) {
      uniforms.unit!.value = unit;
      uniforms.growth!.value = growthTo(all - even, REACH / unit);
    }
    // in steps of a cell, or the corners would run over the waves
    const [x, y] = [Math.round(target.x / unit) * unit, Math.round(target.y / unit) * unit];
    uniforms.middle!.value.set(x, y);
    this.terms.forEach((w, i) => this.numbers.set([w.amplitude, w.kx, w.ky, (w.phase + w.kx * x + w.ky * y - w.frequency * time) % (2 * Math.PI)], 4 * i));
    uniforms.ramp!.value = rampFactor(this.fluid.waves, time);
    uniforms.time!.value = time % 4096;
    uniforms.wet!.value = wet ? 1 : 0;
    uniforms.foam!.value = 0;
    // rows are drawn from the far to the near: a crest covers what is behind it
    const [dx, dy] = [target.x - eye.x, target.y - eye.y];
    const [sx, sy] = [dx > 0 ? -1 : 1, dy > 0 ? -1 : 1];
    if (Math.abs(dy) > Math.abs(dx)) uniforms.order!.value.set(sx, 0, 0, sy);
    else uniforms.order!.value.set(0, sx, sy, 0);
  }

  /** Draws foam where bodies of these depths are near below the surface. */
  foam(depths: THREE.DepthTexture, camera: THREE.PerspectiveCamera | THREE.OrthographicCamera, pane: THREE.Vector4) {
    const { uniforms } = this.mesh.material;
    Object.assign(uniforms.depths!, { value: depths });
    uniforms.pane!.value.copy(pane);
    uniforms.near!.value = camera.near;
    uniforms.far!.value = camera.far;
    uniforms.foam!.value = this.foamWidth;
  }

  /** Whether the share of what shines through is kept in alpha, for occlusion.ts; else the picture stays opaque. */
  keepShare(keeps: boolean) {
    this.mesh.material.blendSrcAlpha = keeps ? THREE.ZeroFactor : THREE.OneFactor;
  }

  tone(tone: THREE.Color) {
    this.mesh.material.uniforms.tone = { value: tone };
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** A square of cells, its corners numbered from −n to n, in rows of increasing y. */
function lattice(n: number): THREE.BufferGeometry {
  const side = 2 * n + 1;
  const corners = new Float32Array(3 * side * side);
  const index = new Uint32Array(6 * (2 * n) ** 2);
  for (let j = 0, o = 0; j < side; j++) for (let i = 0; i < side; i++, o += 3) corners.set([i - n, j - n, 0], o);
  for (let j = 0, o = 0; j < 2 * n; j++) {
    for (let i = 0; i < 2 * n; i++, o += 6) {
      const a = j * side + i;
      index.set([a, a + 1, a + side, a + 1, a + side + 1, a + side], o);
    }
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(corners, 3)).setIndex(new THREE.BufferAttribute(index, 1));
}

export class WaterView {
  readonly group = new THREE.Group();
  private surfaces: Surface[];
  /** The highest: what is below it is wet. */
  private top: Surface;
  private bed: THREE.InstancedMesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial | THREE.MeshBasicMaterial>;
  private clarity: number;
  private deep = new THREE.Color();
  private tone = new THREE.Color();
  private time = 0;
  private depths: THREE.WebGLRenderTarget | null = null;

  constructor(fluids: Fluid[], quality: Quality, sky: SkyLook, low: THREE.Vector3, high: THREE.Vector3, hasGround: boolean, maxUniforms: number) {
    const size = low.distanceTo(high);
    this.clarity = Math.min(CLARITY.most, Math.max(CLARITY.least, CLARITY.part * size));
    this.surfaces = fluids.map((fluid) => new Surface(fluid, quality, sky, this.clarity, size, maxUniforms));
    this.top = this.surfaces.reduce((a, b) => (b.fluid.level > a.fluid.level ? b : a));
    for (const { mesh } of this.surfaces) this.group.add(mesh);
    // the bed as deep as the liquid; below a ground of the scene, or without a depth, so deep that it is not seen: then the sky has
    // its colour, but for parallel views, which have no sky
    const { level, depth } = this.top.fluid;
    const dark = Math.min(level - DARK * this.clarity, low.z) - Math.max(1, 0.05 * size);
    const isSeen = depth !== undefined && !hasGround;
    const floor = isSeen ? level - depth : Math.min(dark, level - (depth ?? 0) - 1);
    let material: THREE.MeshLambertMaterial | THREE.MeshBasicMaterial;
    if (isSeen) {
      material = new THREE.MeshLambertMaterial();
      if (isFine(quality)) lay(material, "sand");
      immerse(material);
    } else material = new THREE.MeshBasicMaterial();
    this.bed = new THREE.InstancedMesh(new THREE.PlaneGeometry(2 * REACH, 2 * REACH), material, 1);
    this.bed.setMatrixAt(0, new THREE.Matrix4());
    this.bed.position.z = floor;
    this.bed.frustumCulled = false;
    this.bed.receiveShadow = true;
    this.group.add(this.bed);
  }

  /** Height of the highest surface without waves [m]. */
  get level(): number {
    return this.top.fluid.level;
  }

  /** How deep a place is below the surface with its waves [m]; negative above. */
  depthOf(place: THREE.Vector3): number {
    const { fluid } = this.top;
    return fluid.level + elevation(fluid, place.x, place.y, this.time) - place.z;
  }

  /** As bright as the ground would be under this sky. */
  dress(tone: THREE.Color) {
    this.tone.copy(tone);
    // daylight is 1
    const dim = Math.min(1, 1.2 * (0.3 * tone.r + 0.6 * tone.g + 0.1 * tone.b) ** 0.6);
    this.deep.setRGB(...this.top.fluid.color, THREE.SRGBColorSpace).multiplyScalar(dim);
    for (const surface of this.surfaces) surface.tone(this.tone);
    // one that is not seen has the colour of deep water
    if (this.bed.material instanceof THREE.MeshBasicMaterial) this.bed.material.color.copy(this.deep);
    else this.bed.material.color.set(SAND).multiply(this.tone);
  }

  /** As at a time [s], around what is looked at from a distance [m]. Returns how deep the eye is below the surface; the eye of a parallel view is above. */
  update(time: number, target: THREE.Vector3, distance: number, eye: THREE.Vector3, flat: boolean): number {
    this.time = time;
    const depth = flat ? -Infinity : this.depthOf(eye);
    for (const surface of this.surfaces) surface.update(time, target, distance, eye, depth > 0);
    this.bed.visible = flat || this.bed.material instanceof THREE.MeshLambertMaterial;
    this.bed.position.setX(Math.round(target.x)).setY(Math.round(target.y));
    return depth;
  }

  /** Colours what is wet, for an eye at that depth; `up` is the upward direction where pictures are drawn. Returns the colour of deep water. */
  soak(depth: number, eye: THREE.Vector3, up: THREE.Vector3): THREE.Color {
    // below the troughs for an eye above, so that nothing dry is coloured; up to the surface above an eye below
    const end = depth > 0 ? eye.z + depth : this.level - this.top.mesh.material.uniforms.amplitude!.value;
    immersion.waterPlane.value.set(up.x, up.y, up.z, end);
    immersion.waterDeep.value.copy(this.deep);
    // what the liquid is coloured like goes farthest; a diver sees farther than one who looks in
    const [r, g, b] = this.top.fluid.color;
    const most = Math.max(r, g, b, 1e-3);
    immersion.waterDims.value.set(r, g, b).divideScalar(-most).addScalar(1).multiplyScalar(1.6).addScalar(0.7).divideScalar(depth > 0 ? 2 * this.clarity : this.clarity);
    return this.deep;
  }

  /** For a picture in which corners are darkened. */
  keepShare(keeps: boolean) {
    for (const surface of this.surfaces) surface.keepShare(keeps);
  }

  /** Draws the depth of the bodies, for the foam around them, in half as many pixels per side. */
  survey(renderer: THREE.WebGLRenderer, scene: THREE.Scene, camera: THREE.PerspectiveCamera | THREE.OrthographicCamera, pane: THREE.Vector4) {
    const [width, height] = [Math.max(1, Math.ceil(pane.z / 2)), Math.max(1, Math.ceil(pane.w / 2))];
    this.depths ??= new THREE.WebGLRenderTarget(width, height, { depthTexture: new THREE.DepthTexture(width, height) });
    this.depths.setSize(width, height);
    const { autoUpdate } = renderer.shadowMap;
    const { background, environment } = scene;
    const layers = camera.layers.mask;
    const scissor = renderer.getScissorTest();
    Object.assign(scene, { overrideMaterial: DEPTH_ONLY, background: null, environment: null });
    renderer.shadowMap.autoUpdate = false;
    camera.layers.set(CUTS);
    renderer.setRenderTarget(this.depths);
    renderer.setScissorTest(false);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    renderer.setScissorTest(scissor);
    camera.layers.mask = layers;
    renderer.shadowMap.autoUpdate = autoUpdate;
    Object.assign(scene, { overrideMaterial: null, background, environment });
    for (const surface of this.surfaces) surface.foam(this.depths.depthTexture!, camera, pane);
  }

  dispose() {
    for (const surface of this.surfaces) surface.dispose();
    this.bed.geometry.dispose();
    this.bed.material.dispose();
    this.bed.dispose();
    this.depths?.depthTexture?.dispose();
    this.depths?.dispose();
    this.group.removeFromParent();
  }
}

const DEPTH_ONLY = new THREE.MeshBasicMaterial({ colorWrite: false });
