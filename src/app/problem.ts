/** A usage error, or a condition that stops an action or a query. Its message is for the person, without a stack trace. */
export class Problem extends Error {}
