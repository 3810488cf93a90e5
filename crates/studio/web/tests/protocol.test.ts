import { describe, expect, it } from "vitest";
import { decodeFrame, encodeFrame, type Frame } from "../src/protocol";

const frame: Frame = {
  time: 1.25,
  bodies: new Float32Array([1, 2, 3, 1, 0, 0, 0, 4, 5, 6, 0, 1, 0, 0]),
  lines: [
    { id: 7, points: new Float32Array([0, 0, 0, 100, 0, 0, -1, 200]) },
    { id: 9, points: new Float32Array() },
  ],
  contacts: new Float32Array([1, 1, 0, 0, 0, 9.5]),
  pushes: new Float32Array([0, 0, 1, 3, 0, 0, 2, 0, 0, -3, 0, 0]),
  torques: new Float32Array([0, 0, 1, 0, 7, 0]),
};

describe("frames", () => {
  it("come back as they were sent", () => {
    expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
  });

  it("are read byte by byte as agreed with the server", () => {
    // one body at (1, 0, 0), no lines, no arrows, written by hand
    const bytes = new DataView(new ArrayBuffer(4 + 8 + 4 + 28 + 4 + 3 * 4));
    [0x57, 0x4c, 0x46, 0x31].forEach((b, i) => bytes.setUint8(i, b));
    bytes.setFloat64(4, 0.5, true);
    bytes.setUint32(12, 1, true);
    bytes.setFloat32(16, 1, true);
    bytes.setFloat32(28, 1, true);
    const read = decodeFrame(bytes.buffer);
    expect(read.time).toBe(0.5);
    expect([...read.bodies]).toEqual([1, 0, 0, 1, 0, 0, 0]);
    expect(read.lines).toEqual([]);
  });

  it("cut short at any byte are refused", () => {
    const whole = encodeFrame(frame);
    for (let n = 0; n < whole.byteLength; n++) expect(() => decodeFrame(whole.slice(0, n)), `${n} bytes`).toThrow(/ends within/);
  });

  it("of another kind, or with bytes left over, are refused", () => {
    const other = encodeFrame(frame);
    new DataView(other).setUint32(0, 1, true);
    expect(() => decodeFrame(other)).toThrow(/WLF1/);
    const longer = new Uint8Array(encodeFrame(frame).byteLength + 4);
    longer.set(new Uint8Array(encodeFrame(frame)));
    expect(() => decodeFrame(longer.buffer)).toThrow(/4 bytes more/);
  });

  it("that claim more bodies than they carry are refused before anything is allocated", () => {
    const lie = encodeFrame(frame);
    new DataView(lie).setUint32(12, 0xffffffff, true);
    expect(() => decodeFrame(lie)).toThrow(/the bodies/);
  });
});
