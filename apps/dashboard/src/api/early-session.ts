import { send } from './client.ts'

export type Role = 'owner' | 'admin' | 'approver' | 'viewer'

/** Who is signed in; `GET /api/core/auth/browser-session`. */
export interface Session {
  readonly user: { readonly id: number; readonly email: string; readonly name: string | null; readonly role: Role }
  readonly organization: { readonly id: number; readonly name: string }
  readonly environment: 'sandbox' | 'live'
  readonly csrfToken: string | null
  readonly factors: readonly ('totp' | 'passkey')[]
  readonly passwordChangeRequired: boolean
  readonly enrollmentRequired: boolean
}

/**
 * Marks that somebody signed in here before, so that a first visit requests no session. It is not a secret and opens
 * nothing.
 */
const MARK = 'weir.known'

export const isKnown = (): boolean => localStorage.getItem(MARK) !== null
export function setKnown(known: boolean): void {
  if (known) localStorage.setItem(MARK, 'yes')
  else localStorage.removeItem(MARK)
}

const read = () => send<Session>('GET', '/api/core/auth/browser-session', { isSignIn: true })
let early: ReturnType<typeof read> | undefined
let known: Session | undefined

/** Requests the session before the page can show it; the caller that takes it handles its error. */
export function readEarly(): void {
  if (!isKnown()) return
  early = read()
  early.then(
    ({ data }) => {
      known = data
    },
    () => undefined,
  )
}

/** The session, if it is here before the first render, which then shows the page at once. */
export const earlySession = (): Session | undefined => known

/** The session that is on its way, or another read of it. */
export function takeSession(): ReturnType<typeof read> {
  const taken = early ?? read()
  early = undefined
  return taken
}
