import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { keyText } from "../../state/person-key.ts";
import { newState } from "../../state/state.ts";
import { keyFileIn } from "../../store/key-file.ts";
import { keepKeyFile, newKey } from "../../store/key-making.ts";
import { memoryStore } from "../../store/memory.ts";
import { registration } from "../host.ts";
import { type House, openHouse } from "./example-house.ts";
import { passphrase } from "./look-person.ts";

const KEY = newKey("four words are enough", 1000, 1);
const OTHER = newKey("four other words", 1000, 1);

/** The house with a key file, and hooks that name a key. */
function keyed(house: House, named?: string): House {
  keepKeyFile(house.state, KEY.file);
  const { program, events } = house.premises();
  const ours = registration.withOurs(undefined, events, { ...program, key: named });
  if ("problem" in ours) throw new Error(ours.problem);
  house.write(house.settings, ours.text);
  return house;
}

const NAMED = keyText(KEY.file);

it("says that there is no passphrase, without calling it a fault", async () => {
  const house = openHouse();
  expect(await house.look(passphrase)).toMatchObject({ state: "skip", what: expect.stringMatching(/^no passphrase/) });
  keepKeyFile(house.state, "off");
  expect(await house.look(passphrase)).toMatchObject({ state: "skip", what: expect.stringMatching(/as you chose/) });
});

it("is content when the hooks name the key in the file", async () => {
  expect(await keyed(openHouse(), NAMED).look(passphrase)).toMatchObject({
    state: "ok",
    what: expect.stringMatching(/the hooks name key/),
  });
});

it("warns when the hooks do not name it", async () => {
  expect(await keyed(openHouse()).look(passphrase)).toMatchObject({
    state: "warn",
    fix: expect.stringMatching(/sekisho init/),
  });
});

it.each<readonly [string, (house: House) => void, RegExp]>([
  ["exchanged", ({ state }) => keepKeyFile(state, OTHER.file), /not the one that the hooks name/],
  ["removed", ({ state }) => rmSync(keyFileIn(state)), /is gone/],
])("fails when the key file was %s", async (_, change, what) => {
  const house = keyed(openHouse(), NAMED);
  change(house);
  expect(await house.look(passphrase)).toMatchObject({ state: "fail", what: expect.stringMatching(what) });
});

it("warns of records that claim to be the person's", async () => {
  const house = keyed(openHouse(), NAMED);
  const voided = [{ rid: "r", at: 0, action: "pause", why: "unsigned" }] as const;
  const store = { ...memoryStore(), read: () => ({ ...newState, voided }) } as never;
  expect(await house.look(passphrase, { store })).toMatchObject({
    state: "warn",
    what: expect.stringMatching(/1 record\(s\).*pause/),
  });
});
