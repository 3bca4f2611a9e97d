import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { startTransition, useEffect, useState } from 'react'
import { settledWithin } from '../lib/requests/settled-within.ts'
import { counted } from '../lib/text/counted.ts'
import type { Outcome } from '../lib/text/planned-text.ts'
import { notify, notifyRefusal, takeBack } from '../parts/frame/notify.tsx'
import { type Answer, ApiError, type Method, send } from './client.ts'
import { keepAhead, takeAhead } from './read-ahead.ts'
import { tellOtherTabs } from './tabs.ts'

/** How long to wait where requests are limited: as the service says, within bounds. */
const LIMITED_SECONDS = 5
const LIMITED_SECONDS_MAX = 60

/** How long the outcome of a change waits for what it changed. */
const READ_AGAIN_MS = 2_000

const isLimited = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429

/** Why a read was refused, even while it waits until it may be repeated. */
export function refusalOf({ error, failureReason }: UseQueryResult<unknown, ApiError>): ApiError | null {
  return error ?? (isLimited(failureReason) ? failureReason : null)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // A change that waited for the network would be sent when nobody expects it.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500 || isLimited(error)),
      retryDelay: (failures, error) =>
        isLimited(error)
          ? Math.min(error.retryAfterSeconds ?? LIMITED_SECONDS, LIMITED_SECONDS_MAX) * 1_000
          : 1_000 * 2 ** failures,
    },
  },
})

keepAhead((path, answer) => queryClient.setQueryData([path], answer))

/** A page asks for much at once; each request in a task of its own leaves room for a tap in between. */
const ownTask = () => new Promise((resolve) => setTimeout(resolve))

/** The read of a path, by its key. */
export const queryOf = <T>(path: string | null) => ({
  queryKey: [path],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const ahead = await takeAhead<T>(path!)
    if (ahead !== undefined) return ahead
    await ownTask()
    return send<T>('GET', path!, { signal })
  },
})

/** Reads a path of the API; the key is the path, so two parts of a page that read the same share one request. */
export function useApi<T>(path: string | null): UseQueryResult<Answer<T>, ApiError> {
  return useQuery<Answer<T>, ApiError>({
    ...queryOf<T>(path),
    enabled: path !== null,
    // Without a path there is no result, not even the last one.
    placeholderData: path === null ? undefined : keepPreviousData,
  })
}

/**
 * Whether all these paths were read or refused, so that a page of many reads renders once, and not with each of them.
 * What was refused is for the page to read again.
 */
export function useSettled(paths: readonly string[]): boolean {
  const client = useQueryClient()
  const [isSettled, setIsSettled] = useState(() => paths.every((path) => client.getQueryData([path]) !== undefined))
  useEffect(() => {
    if (isSettled) return
    let isGone = false
    const read = async () => {
      const reads: Promise<unknown>[] = []
      for (const path of paths) {
        await ownTask()
        if (isGone) return
        const reading = client.fetchQuery({ ...queryOf(path), retry: false })
        reads.push(reading.catch(() => undefined))
      }
      await Promise.all(reads)
      if (!isGone) startTransition(() => setIsSettled(true))
    }
    void read()
    return () => {
      isGone = true
    }
  }, [client, paths, isSettled])
  return isSettled
}

/** Reasons of refusals: what is shown is not what is there. */
const OUTDATED: ReadonlySet<string> = new Set(['changed_meanwhile', 'observation_differs'])

export interface Action {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Of the notification that an action was refused. */
const idOf = ({ method, path }: Action): string => `refusal ${method} ${path}`

/** Of a change without a response: a second one could do it twice. */
const UNHEARD = 'It may have been done: look before you try again.'

/** What a change waits for: others, or only time. */
const waitsFor = (id: number | undefined, approvals: number): string =>
  approvals === 0
    ? `Change request ${id} has a cooling-off period. Make the change after it, under Changes.`
    : `Change request ${id} needs ${counted(approvals, 'approval')}.`

/** What is said once a change is made; nothing where what follows says it. */
export type Done<T> = string | ((data: T) => string | Outcome | undefined)

/**
 * Sends a change; then every table reads again, in other tabs too. A change that waits for approval is announced as such,
 * and `onWaiting` closes its dialog, where a second click would request it twice.
 */
export function useAction<T = unknown>(done?: Done<T>, onDone?: (data: T) => void, onWaiting?: () => void) {
  const client = useQueryClient()
  return useMutation<Answer<T>, ApiError, Action>({
    mutationFn: ({ method, path, body, headers }) =>
      send<T>(method, path, {
        ...(body === undefined && method === 'POST' ? { body: {} } : body === undefined ? {} : { body }),
        ...(headers ? { headers } : {}),
      }),
    // What was refused before is tried again: its refusal beside a success would contradict it.
    onMutate: (action) => takeBack(idOf(action)),
    onSuccess: async ({ data, status }) => {
      tellOtherTabs('data')
      // Where reads are limited, they take a minute: what was done, such as a secret that is shown once, is said first.
      await settledWithin(client.invalidateQueries(), READ_AGAIN_MS)
      const request = data as { id?: number; requiredApprovals?: number }
      if (status === 202 && request.requiredApprovals !== undefined) {
        notify('Waits for approval', waitsFor(request.id, request.requiredApprovals))
        onWaiting?.()
        return
      }
      const text = typeof done === 'function' ? done(data) : done
      if (typeof text === 'string') notify('Done', text)
      else if (text !== undefined) notify(text.title, text.text, text.color)
      onDone?.(data)
    },
    onError: (error, action) => {
      // A change on /v1 that waits is refused there, in place of the 202 of core.
      if (error.reason === 'change_request_required') {
        tellOtherTabs('data')
        void client.invalidateQueries()
        notify('Waits for approval', `Change request ${String(error.details.changeRequestId)} was made for it.`)
        onWaiting?.()
        return
      }
      const isUnheard = error.status === 0 || error.status >= 500
      notifyRefusal(error, idOf(action), { after: isUnheard ? UNHEARD : '' })
      // What somebody else changed is not here yet, nor what this request may have changed.
      if (isUnheard || OUTDATED.has(error.reason ?? '')) void client.invalidateQueries()
    },
  })
}
