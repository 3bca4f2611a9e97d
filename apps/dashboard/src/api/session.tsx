import {
  createContext,
  Fragment,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { explorerUrl } from '../lib/text/explorers.ts'
import { StepUpDialog } from '../parts/forms/step-up.tsx'
import { notify, takeAllBack } from '../parts/frame/notify.tsx'
import { WhenIdle } from '../parts/frame/when-idle.tsx'
import { ApiError, forgetRequests, send, setCsrfToken, setHooks } from './client.ts'
import { earlySession, isKnown, type Session, setKnown, takeSession } from './early-session.ts'
import { forgetAhead } from './read-ahead.ts'
import { type Rights, rightsOf } from './rights.ts'
import { onOtherTabs, tellOtherTabs } from './tabs.ts'
import { queryClient } from './use-api.ts'

type State =
  | { readonly kind: 'loading' }
  /** `kept`: of whom it ended for, whose page waits hidden until they are back. */
  | { readonly kind: 'out'; readonly ended: boolean; readonly kept?: Session | undefined }
  | { readonly kind: 'in'; readonly session: Session }

interface SessionContext {
  readonly state: State
  /** Reads the session again, after a sign-in or a change of it. */
  readonly refresh: () => Promise<void>
  readonly signOut: () => Promise<void>
}

const Context = createContext<SessionContext | undefined>(undefined)

/** What another user read and sent is not for this one. */
function forget(): void {
  forgetAhead()
  forgetRequests()
  takeAllBack()
  queryClient.clear()
}

/** Only this ends a session: a service that is busy, or out of reach, has said nothing about it. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** A session that ended without its person keeps what they had typed. */
const ended = (previous: State): State => ({
  kind: 'out',
  ended: true,
  kept: previous.kind === 'in' ? previous.session : previous.kind === 'out' ? previous.kept : undefined,
})

/** How long until a session that could not be read is read again, unless the service names another time. */
const AGAIN_SECONDS = 5
const AGAIN_SECONDS_MAX = 60

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>(() => {
    const session = earlySession()
    return session === undefined ? { kind: 'loading' } : { kind: 'in', session }
  })
  const [factors, setFactors] = useState<readonly string[]>()
  const decide = useRef<(verified: boolean) => void>(undefined)
  const user = useRef<number>(undefined)
  const again = useRef<number>(undefined)
  // Parts of pages keep what they showed last while they read. For another user, they are mounted again.
  const [person, setPerson] = useState(0)

  /** The question was for who was here. What waits for it goes with their pages, without a word to the next person. */
  const giveUp = useCallback(() => {
    decide.current = undefined
    setFactors(undefined)
  }, [])

  const refresh = useCallback(
    async (asks = true) => {
      window.clearTimeout(again.current)
      if (!asks) {
        setState({ kind: 'out', ended: false })
        return
      }
      try {
        const { data } = await takeSession()
        setKnown(true)
        setCsrfToken(data.csrfToken, data.user.id)
        const isAnother = user.current !== undefined && user.current !== data.user.id
        if (isAnother) {
          forget()
          giveUp()
        }
        user.current = data.user.id
        // The first render of all pages is long: as a transition it leaves the main thread in between.
        startTransition(() => {
          if (isAnother) setPerson((number) => number + 1)
          setState((previous) =>
            previous.kind === 'in' && previous.session === data ? previous : { kind: 'in', session: data },
          )
        })
        if (data.passwordChangeRequired || data.enrollmentRequired) forgetAhead()
      } catch (error) {
        if (!isRefused(error)) {
          const seconds = (error instanceof ApiError ? error.retryAfterSeconds : null) ?? AGAIN_SECONDS
          again.current = window.setTimeout(() => void refresh(), Math.min(seconds, AGAIN_SECONDS_MAX) * 1_000)
          if (user.current !== undefined) return
        }
        forgetAhead()
        if (user.current === undefined) queryClient.clear()
        setCsrfToken(null)
        setState(user.current === undefined ? { kind: 'out', ended: false } : ended)
      }
    },
    [giveUp],
  )

  /** Forgets everything about the person: the next one at this machine could read it. */
  const leave = useCallback(() => {
    window.clearTimeout(again.current)
    setKnown(false)
    forget()
    giveUp()
    user.current = undefined
    setCsrfToken(null)
    setState({ kind: 'out', ended: false })
  }, [giveUp])

  const signOut = useCallback(async () => {
    try {
      await send('POST', '/api/core/auth/logout', { isSignIn: true })
    } catch (error) {
      if (!isRefused(error)) {
        notify('You are still signed in', `The session could not be ended. ${(error as Error).message}`, 'red')
        return void refresh()
      }
    }
    leave()
    tellOtherTabs('signed out')
  }, [refresh, leave])

  useEffect(() => {
    setHooks({
      onSessionEnded: () => setState(ended),
      stepUp: (asked) =>
        new Promise((resolve) => {
          decide.current = resolve
          setFactors(asked)
        }),
    })
    void refresh(isKnown())
    const stops = [onOtherTabs('session', () => void refresh()), onOtherTabs('signed out', leave)]
    return () => {
      for (const stop of stops) stop()
      window.clearTimeout(again.current)
    }
  }, [refresh, leave])

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
      <Fragment key={person}>{children}</Fragment>
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

/** The session of a page that only signed-in people see; of a page that waits hidden, the one that ended. */
export function useSession(): Session {
  const { state } = useSessionState()
  const session = state.kind === 'in' ? state.session : state.kind === 'out' ? state.kept : undefined
  if (session === undefined) throw new Error('nobody is signed in')
  return session
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
