import type { RampDirection, RampStatus } from '../../database/index.ts'
import type { Scenario } from '../provider/port.ts'

/** A status to report, or the return of the tokens to their sender. */
export type ScenarioStep = RampStatus | 'give_back'

/** The steps of each scenario (spec 3.6, contract 11). Tokens that are not paid out are returned. */
export const SCENARIO_STEPS: Readonly<Record<RampDirection, Readonly<Record<Scenario, readonly ScenarioStep[]>>>> = {
  onramp: {
    success: ['pending', 'processing', 'in_progress', 'broadcasted', 'completed'],
    failed: ['pending', 'processing', 'failed'],
    rejected: ['pending', 'rejected'],
    reversed: ['pending', 'processing', 'in_progress', 'broadcasted', 'completed', 'reversed'],
  },
  offramp: {
    success: ['pending', 'processing', 'in_progress', 'completed'],
    failed: ['pending', 'processing', 'failed', 'give_back'],
    rejected: ['pending', 'rejected', 'give_back'],
    reversed: ['pending', 'processing', 'in_progress', 'completed', 'reversed'],
  },
}

/** Failure reasons of the scenarios, unless there is a more specific one. */
export const FAILURE_REASONS: Partial<Record<ScenarioStep, string>> = {
  failed: 'payment_failed',
  rejected: 'payment_rejected',
  reversed: 'payment_reversed',
}
