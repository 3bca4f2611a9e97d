import type { RampParts } from '../parts.ts'

/**
 * What became of an event: `applied` changed something or confirmed what is; `overtaken` came after a later one;
 * `contradicts` says what cannot follow; `unknown` is about no object of this service.
 */
export type ProviderEventOutcome = 'applied' | 'overtaken' | 'contradicts' | 'unknown'

export type ApplyEventParts = Pick<RampParts, 'clock' | 'log' | 'provider'>
