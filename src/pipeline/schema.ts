/** The JSON Schema of pipeline files, for editors: made from the table that also reads them. */
import type { Schema } from "./reading/kinds.ts";
import { pipeline } from "./reading/table.ts";

export function pipelineSchema(): Schema {
  const { type, properties, additionalProperties } = pipeline.schema;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A pipeline of Sekisho",
    type,
    required: ["name", "steps"],
    properties,
    additionalProperties,
  };
}
