import { useSyncExternalStore } from 'react'
import { onRequestLogged, requestLog, type SentRequest } from '../../api/client.ts'

export function useRequestLog(): readonly SentRequest[] {
  return useSyncExternalStore(onRequestLogged, requestLog)
}
