import { type Silence, silenceOf } from '../lib/text/silence.ts'
import { HEALTH } from './paths.ts'
import type { Schema } from './types.ts'
import { useApi } from './use-api.ts'

/** Which agents are silent, read only while something waits for one. */
export function useSilence(waits: boolean): { readonly silence: Silence | undefined; readonly isReading: boolean } {
  const { data, error } = useApi<Schema<'OrganizationHealth'>>(waits ? HEALTH : null)
  return {
    silence: waits && data ? silenceOf(data.data.agents, Date.now()) : undefined,
    isReading: waits && data === undefined && error === null,
  }
}

/** Whether an operation is ready to be signed by an agent, and nothing but the agent keeps it from being signed. */
export const waitsForAgent = ({
  status,
  executor,
  pausedBecause = null,
}: {
  readonly status: string
  readonly executor: string
  readonly pausedBecause?: string | null
}): boolean => executor === 'agent' && status === 'EXECUTING' && pausedBecause === null
