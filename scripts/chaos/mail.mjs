/** Messages through the daemon while senders, workers and the supervisor are killed. */
import { stormIn } from "../mail-stage.mjs";

const STORM = { writers: 20, each: 500, kills: { sender: 20, worker: 4, supervisor: 2 } };

export async function mailFaults({ home }) {
  const { acknowledged, killed, violations } = await stormIn(home, STORM);
  return [
    {
      what: `${STORM.writers} senders × ${STORM.each} messages, killed: ${JSON.stringify(killed)}`,
      found: `${acknowledged.flat().length} acknowledged`,
      holds: acknowledged.flat().length === STORM.writers * STORM.each,
    },
    {
      what: "messages lost, doubled, halved or out of order",
      found: violations.length === 0 ? "none" : violations.slice(0, 3).join("; "),
      holds: violations.length === 0,
    },
  ];
}
