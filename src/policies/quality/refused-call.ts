/** Prefix of the host's message to the model about a call that was not executed. */
export const REFUSED_CALL = "<tool_use_error>";
