const failures = new WeakSet<object>()

/**
 * Notes that connecting to the database failed with this error. Node names no system call where a server ends a TLS
 * handshake, and without one the error could be about any other connection.
 */
export function noteConnectFailure(error: unknown): void {
  if (error instanceof Error) failures.add(error)
}

export function isConnectFailure(error: unknown): boolean {
  return error instanceof Error && failures.has(error)
}

const refusals = new WeakSet<Error>()

/** Notes that the server refused to begin a session. What a statement of a session that began says is another thing. */
export function noteRefusal(error: unknown): void {
  if (error instanceof Error) refusals.add(error)
}

export function isRefusal(error: unknown): boolean {
  return error instanceof Error && refusals.has(error)
}
