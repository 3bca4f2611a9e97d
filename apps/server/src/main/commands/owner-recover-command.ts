const RESET = '--reset-change-policy'

export interface OneTimePassword {
  readonly email: string
  readonly password: string
  readonly expiresAt: string
  readonly endedSessions: number
}

/** Gives an owner a one-time password, and says what it is and how to use it. On request it lifts the change policy. */
export async function recoverOwnerByCommand(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<OneTimePassword> {
  const resets = args.includes(RESET)
  const [email, ...others] = args.filter((arg) => arg !== RESET)
  if (email === undefined || others.length > 0) {
    throw new Error(`owner:recover takes the email address of one owner, not "${args.join(' ')}"`)
  }
  // Loaded only now: a wrong argument gets its response at once.
  const { recoverOnHost } = await import('./recover-on-host.ts')
  const { password, expiresAt, endedSessions } = await recoverOnHost(env, { email, resets })
  say(`password ${password}`)
  say(`for ${email}, until ${expiresAt.toISOString()}; sessions ended: ${endedSessions}`)
  if (resets) say('change policy reset: no change of the configuration needs approval')
  say('sign in with it at POST /api/core/auth/login, then set your own at POST /api/core/auth/password')
  return { email, password, expiresAt: expiresAt.toISOString(), endedSessions }
}
