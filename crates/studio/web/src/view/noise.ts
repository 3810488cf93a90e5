/** Value noise for shaders: `noise` between 0 and 1 with features of size 1, and `fbm`, its sum over octaves. */
export const NOISE = `
float hash(vec2 p) { vec3 q = fract(vec3(p.xyx) * 0.1031); q += dot(q, q.yzx + 33.33); return fract((q.x + q.y) * q.z); }
float noise(vec2 p) {
  vec2 i = floor(p);
  vec2 f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0, 1.0)), f.x), f.y);
}
float fbm(vec2 p) {
  float sum = 0.0;
  float part = 0.5;
  for (int k = 0; k < 5; k++) { sum += part * noise(p); p = mat2(1.6, 1.2, -1.2, 1.6) * p; part *= 0.5; }
  return sum / 0.96875;
}`;
