/** Colours of the sky for shaders: `sky` of a direction with z up, without clouds, and the glow around the sun. */
export const SKY = `
uniform vec3 top, horizon, below, sunward;
uniform float glow;
vec3 sky(vec3 way) {
  float h = way.z;
  return h > 0.0 ? mix(horizon, top, pow(h, 0.55)) : mix(horizon, below, pow(-h, 0.4));
}
float sunglow(vec3 way) {
  float close = max(dot(way, sunward), 0.0);
  return glow * (0.25 * pow(close, 6.0) + 0.8 * pow(close, 400.0));
}`;
