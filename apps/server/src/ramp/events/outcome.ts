import type { RampParts } from '../parts.ts'

/**
 * The outcome of an event: `applied` changed something or confirmed the state; `overtaken` arrived after a later event;
 * `contradicts` reports a status that cannot follow; `unknown` is about an object that this service does not have.
 */
export type ProviderEventOutcome = 'applied' | 'overtaken' | 'contradicts' | 'unknown'

export type ApplyEventParts = Pick<RampParts, 'clock' | 'fields' | 'log' | 'provider'>
