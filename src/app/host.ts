/** The host that the commands work with. */
import { HOST, headlesses, hosts, registrations, setups } from "../hosts/index.ts";

export const host = hosts[HOST];
export const registration = registrations[HOST];
export const setup = setups[HOST];
export const headless = headlesses[HOST];
