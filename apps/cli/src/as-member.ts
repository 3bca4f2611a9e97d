import { type Connection, connectAsMember, type UrlOption } from './connect.ts'
import type { Result } from './define-command.ts'
import type { Shell } from './shell.ts'

/** How a command finds its member, for its help; docs/cli.md says it once. */
export const SIGNS_IN =
  'Signs in for this command and out after it: as the demo owner of the sandbox, or with WEIR_EMAIL and a password that it asks for (or WEIR_PASSWORD), or with a session in WEIR_ACCESS_TOKEN.'

/** Does this as a member, and ends the session that was opened for it. */
export async function asMember(
  shell: Shell,
  options: UrlOption,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connectAsMember(shell, options)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
