import { BREAKERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import type { Breaker } from './breaker-text.ts'

/** The organization's settings, and its breakers that are not closed. */
export const useBreakers = () => useApi<Schema<'CircuitBreakers'>>(BREAKERS)

/** Whether Weir does not deposit there on its own. */
export const stops = ({ state }: Breaker): boolean => state === 'open' || state === 'recovering'
