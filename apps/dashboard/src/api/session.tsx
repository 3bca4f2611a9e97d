import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { explorerUrl } from '../lib/explorers.ts'
import { StepUpDialog } from '../parts/step-up.tsx'
import { WhenIdle } from '../parts/when-idle.tsx'
import { ApiError, send, setCsrfToken, setHooks } from './client.ts'
import { earlySession, isKnown, type Session, setKnown, takeSession } from './early-session.ts'
import { forgetAhead } from './read-ahead.ts'
import { type Rights, rightsOf } from './rights.ts'
import { onOtherTabs, tellOtherTabs } from './tabs.ts'
import { queryClient } from './use-api.ts'

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'out'; readonly ended: boolean }
  | { readonly kind: 'in'; readonly session: Session }

interface SessionContext {
  readonly state: State
  /** Reads the session again, after a sign-in or a change of it. */
  readonly refresh: () => Promise<void>
  readonly signOut: () => Promise<void>
}

const Context = createContext<SessionContext | undefined>(undefined)

/** What another user read is not for this one. */
function forget(): void {
  forgetAhead()
  queryClient.clear()
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>(() => {
    const session = earlySession()
    return session === undefined ? { kind: 'loading' } : { kind: 'in', session }
  })
  const [factors, setFactors] = useState<readonly string[]>()
  const decide = useRef<(verified: boolean) => void>(undefined)
  const user = useRef<number>(undefined)

  const refresh = useCallback(async (asks = true) => {
    if (!asks) {
      setState({ kind: 'out', ended: false })
      return
    }
    try {
      const { data } = await takeSession()
      setKnown(true)
      setCsrfToken(data.csrfToken)
      if (user.current !== undefined && user.current !== data.user.id) forget()
      user.current = data.user.id
      // The first render of all pages is long: as a transition it leaves the main thread in between.
      startTransition(() =>
        setState((previous) =>
          previous.kind === 'in' && previous.session === data ? previous : { kind: 'in', session: data },
        ),
      )
      if (data.passwordChangeRequired || data.enrollmentRequired) forgetAhead()
    } catch (error) {
      forgetAhead()
      if (user.current === undefined) queryClient.clear()
      setCsrfToken(null)
      const ended = user.current !== undefined && error instanceof ApiError && error.status === 401
      setState((previous) =>
        error instanceof ApiError && error.status === 0 && previous.kind === 'in' ? previous : { kind: 'out', ended },
      )
    }
  }, [])

  const signOut = useCallback(async () => {
    await send('POST', '/api/core/auth/logout', { isSignIn: true }).catch(() => undefined)
    setKnown(false)
    forget()
    user.current = undefined
    setCsrfToken(null)
    setState({ kind: 'out', ended: false })
    tellOtherTabs('session')
  }, [])

  useEffect(() => {
    setHooks({
      onSessionEnded: () => setState({ kind: 'out', ended: true }),
      stepUp: (asked) =>
        new Promise((resolve) => {
          decide.current = resolve
          setFactors(asked)
        }),
    })
    void refresh(isKnown())
    return onOtherTabs('session', () => void refresh())
  }, [refresh])

  const value = useMemo(
    () => ({
      state,
      refresh: async () => {
        await refresh()
        tellOtherTabs('session')
        await queryClient.invalidateQueries()
      },
      signOut,
    }),
    [state, refresh, signOut],
  )
  return (
    <Context value={value}>
      {children}
      <WhenIdle>
        <StepUpDialog
          factors={factors}
          onClose={(verified) => {
            setFactors(undefined)
            decide.current?.(verified)
          }}
        />
      </WhenIdle>
    </Context>
  )
}

export function useSessionState(): SessionContext {
  const context = useContext(Context)
  if (context === undefined) throw new Error('outside of the session')
  return context
}

/** The session of a page that only signed-in people see. */
export function useSession(): Session {
  const { state } = useSessionState()
  if (state.kind !== 'in') throw new Error('nobody is signed in')
  return state.session
}

/** What the user may do. */
export function useMay(): Rights {
  return rightsOf(useSession().user.role)
}

/** Where an explorer shows an address or a transaction: on live chains only. */
export function useExplorer(): (blockchain: string, value: string) => string | undefined {
  const { state } = useSessionState()
  return state.kind === 'in' && state.session.environment === 'live' ? explorerUrl : () => undefined
}
