/** How the host begins what it tells the model about a call that it did not carry out. */
export const REFUSED_CALL = "<tool_use_error>";
