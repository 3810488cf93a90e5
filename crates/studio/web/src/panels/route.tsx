/** The points of a routed rope, in order: each can be changed, moved up or taken out. */
import type { Json, Scene, Table } from "../protocol";
import * as store from "../store";
import { edit } from "../build/edit";
import { fieldsOf, resolve, schemaAt, type Schema } from "../build/fields";
import { FieldRow } from "./field";
import { IconButton } from "./icons";

const KINDS = ["winch", "pulley", "ring", "attach"];
/** Fields that a kind of point has in any case. */
const SHOWN: Record<string, string[]> = { winch: ["wrap_direction"], pulley: ["at", "axis", "radius", "wrap_direction", "friction"], ring: ["at", "friction"], attach: ["at"] };

export function RouteForm({ scene, root, name }: { scene: Scene; root: Schema; name: string }) {
  const cable = (scene.tree?.cables as Table | undefined)?.[name] as Table | undefined;
  const route = (Array.isArray(cable?.route) ? cable.route : []) as Table[];
  const path = ["cables", name, "route"];
  const list = schemaAt(root, ["cables", name], cable);
  const items = list?.properties?.route && resolve(list.properties.route, root).items;
  const fields = items ? fieldsOf(items, root, 3) : [];
  const put = (label: string, next: Json[]) => edit(`${label} of ${name}`, [{ set: path, value: next }], { field: path.join(".") });
  const error = store.fieldError.value?.path === path.join(".") ? store.fieldError.value.text : null;
  return (
    <section class="route" aria-label="Route">
      <h3>Route</h3>
      {route.map((point, i) => {
        const kind = KINDS.find((k) => k in point) ?? "attach";
        const rows = fields.filter((f) => !KINDS.includes(f.key) && (SHOWN[kind]!.includes(f.key) || point[f.key] !== undefined));
        return (
          <details key={i} class="nested">
            <summary>
              <span class="field-name">
                {i + 1} {kind === "attach" ? "end" : kind} <b>{String(point[kind])}</b>
              </span>
              {i > 0 && i < route.length - 1 && (
                <span onClick={(e) => e.preventDefault()}>
                  <IconButton icon="close" label={`Remove point ${i + 1}`} disabled={!store.mayDrive.value} onClick={() => put(`Remove point ${i + 1}`, route.filter((_, k) => k !== i))} />
                </span>
              )}
            </summary>
            {rows.map((f) => <FieldRow key={f.key} field={f} value={point[f.key]} path={[...path, String(i), f.key]} />)}
          </details>
        );
      })}
      {error && <p class="field-error" role="alert">{error}</p>}
      <p class="dim">The tools Pulley and Ring put further points into the rope.</p>
    </section>
  );
}
