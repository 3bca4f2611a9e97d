import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { counted } from '../lib/counted.ts'
import { notify } from '../parts/notify.tsx'
import { type Answer, ApiError, type Method, send } from './client.ts'
import { tellOtherTabs } from './tabs.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
})

/** A page asks for much at once; each request in a task of its own leaves room for a tap in between. */
const ownTask = () => new Promise((resolve) => setTimeout(resolve))

/** Reads a path of the API; the key is the path, so two parts of a page that read the same share one request. */
export function useApi<T>(path: string | null): UseQueryResult<Answer<T>, ApiError> {
  return useQuery<Answer<T>, ApiError>({
    queryKey: [path],
    queryFn: async ({ signal }) => {
      await ownTask()
      return send<T>('GET', path!, { signal })
    },
    enabled: path !== null,
    placeholderData: keepPreviousData,
  })
}

export interface Action {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a change; then every table reads again, in other tabs too. A change that waits for approval is announced as such,
 * and `onWaiting` closes its dialog, where a second click would request it twice.
 */
export function useAction<T = unknown>(
  done?: string | ((data: T) => string | undefined),
  onDone?: (data: T) => void,
  onWaiting?: () => void,
) {
  const client = useQueryClient()
  return useMutation<Answer<T>, ApiError, Action>({
    mutationFn: ({ method, path, body, headers }) =>
      send<T>(method, path, {
        ...(body === undefined && method === 'POST' ? { body: {} } : body === undefined ? {} : { body }),
        ...(headers ? { headers } : {}),
      }),
    onSuccess: async ({ data, status }) => {
      tellOtherTabs('data')
      await client.invalidateQueries()
      const request = data as { id?: number; requiredApprovals?: number }
      if (status === 202 && request.requiredApprovals !== undefined) {
        notify(
          'Waits for approval',
          `Change request ${request.id} needs ${counted(request.requiredApprovals, 'approval')}.`,
        )
        onWaiting?.()
        return
      }
      const text = typeof done === 'function' ? done(data) : done
      if (text !== undefined) notify('Done', text)
      onDone?.(data)
    },
    onError: (error) => {
      notify(error.code, error.message, 'red')
      // What somebody else changed is not here yet.
      if (error.reason === 'changed_meanwhile') void client.invalidateQueries()
    },
  })
}
