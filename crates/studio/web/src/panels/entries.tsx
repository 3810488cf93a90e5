/** Fluids, levers, probes and cameras of the scene, which cannot be selected in the picture: lists to select them by, and the form of a probe. */
import type { Scene, Table } from "../protocol";
import * as store from "../store";
import { edit } from "../build/edit";
import { addFluid } from "../build/fluids";
import { addGround } from "../build/grounds";
import { namesIn } from "../build/make";
import { Entry } from "./field";

export const LISTS: [store.Listed, string][] = [
  ["fluids", "Fluids"],
  ["grounds", "Grounds"],
  ["soils", "Soils"],
  ["tools", "Tools"],
  ["inputs", "Levers"],
  ["probes", "Probes"],
  ["cameras", "Cameras"],
];

export function EntryLists({ scene }: { scene: Scene }) {
  return (
    <>
      <div class="row-of-buttons">
        <button type="button" title="Water up to z = 0 m; its level, waves and current are fields of its form" onClick={() => addFluid("water")}>Add water</button>
        <button type="button" title="Air with a wind of 10 m/s; its direction, profile and gusts are fields of its form" onClick={() => addFluid("wind")}>Add wind</button>
        <button type="button" title="Level ground of topsoil, 20 m by 20 m, that can be dug and driven on; its soil and layers are fields of its form, and the brush shapes it" onClick={addGround}>Add ground</button>
      </div>
      {LISTS.map(([section, title]) => {
        const names = namesIn(scene.tree, section);
        return names.length === 0 ? null : (
          <section key={section} aria-label={title}>
            <h3>{title}</h3>
            <ul class="rows">
              {names.map((name) => (
                <li key={name}>
                  <button type="button" onClick={() => (store.selected.value = { kind: "entry", section, name })}>
                    <span>{name}</span>
                    <small>{section === "probes" ? String((scene.tree?.probes as Table)[name]) : ""}</small>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** The quantity that a probe logs. */
export function ProbeForm({ scene, name }: { scene: Scene; name: string }) {
  const value = String((scene.tree?.probes as Table | undefined)?.[name] ?? "");
  const path = `probes.${name}`;
  const error = store.fieldError.value?.path === path ? store.fieldError.value.text : null;
  return (
    <div class="field" title="The quantity that is logged and plotted under this name">
      <span class="field-name">quantity</span>
      <Entry value={value} name="quantity" invalid={!!error} commit={(t) => edit(`Change probe ${name}`, [{ set: ["probes", name], value: t.trim() }], { field: path })} />
      {error && <p class="field-error" role="alert">{error}</p>}
    </div>
  );
}
