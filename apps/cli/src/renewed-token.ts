/** The tokens of a session, as a log-in and each renewal return them. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Seconds. */
  readonly expiresIn: number
}

/** The tokens of a response; `undefined` if it is a replay, which has none: they are not stored. */
export function tokensIn(session: {
  readonly accessToken: string | null
  readonly refreshToken: string | null
  readonly expiresIn: number
}): Tokens | undefined {
  const { accessToken, refreshToken, expiresIn } = session
  return accessToken === null || refreshToken === null ? undefined : { accessToken, refreshToken, expiresIn }
}

/**
 * Supplies the access token of a session, renewed after half its lifetime: a command that runs until Ctrl-C needs it for
 * longer. A renewal that fails, or returns no tokens, leaves the token and is tried again with the next call; once the
 * token has expired, that call is refused.
 */
export function renewedToken(
  first: Tokens,
  renew: (refreshToken: string) => Promise<Tokens | undefined>,
): () => Promise<string> {
  let { accessToken, refreshToken } = first
  let renewAt = halfLifetimeFromNow(first)
  let renewing: Promise<void> | undefined

  async function renewNow(): Promise<void> {
    try {
      const next = await renew(refreshToken)
      if (next === undefined) return
      accessToken = next.accessToken
      refreshToken = next.refreshToken
      renewAt = halfLifetimeFromNow(next)
    } catch {
      // The call that needs the token says what is wrong.
    } finally {
      renewing = undefined
    }
  }

  return async () => {
    if (Date.now() >= renewAt) {
      // A refresh token that is used twice ends the session.
      renewing ??= renewNow()
      await renewing
    }
    return accessToken
  }
}

const halfLifetimeFromNow = ({ expiresIn }: Tokens): number => Date.now() + expiresIn * 500
