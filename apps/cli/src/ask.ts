import { type Shell, UsageError } from './shell.ts'

/** Refuses without a terminal, where nobody could answer. For commands that sign in before they ask. */
export function requireTerminal(shell: Shell, message: string): void {
  if (!shell.isInteractive) throw new UsageError(`${message} There is no terminal to ask on: pass --yes`)
}

/** Asks whether to continue; in a terminal only. */
export async function confirm(shell: Shell, message: string): Promise<boolean> {
  requireTerminal(shell, message)
  const { confirm: ask } = await import('@clack/prompts')
  return (await ask({ message, initialValue: false })) === true
}

/** Asks for a text; `secret` hides it. Without a terminal it says which setting to use instead. */
export async function askFor(
  shell: Shell,
  {
    message,
    instead,
    secret = false,
  }: { readonly message: string; readonly instead: string; readonly secret?: boolean },
): Promise<string> {
  if (!shell.isInteractive) throw new UsageError(`there is no terminal to ask for this: ${message}. Set ${instead}`)
  const { isCancel, password, text } = await import('@clack/prompts')
  const given = await (secret ? password({ message }) : text({ message }))
  if (isCancel(given)) throw new UsageError('cancelled; nothing was changed')
  return given
}
