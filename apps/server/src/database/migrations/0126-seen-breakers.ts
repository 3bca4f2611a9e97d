import { statement } from '../migration-steps.ts'

/**
 * What a circuit breaker announced last, which is what a person accepts. Of breakers that are open already it is not
 * known, so the next evaluation announces them once more.
 */
export const steps = [
  statement(`
    alter table circuit_breakers add column if not exists observed_measure integer,
      add column if not exists observed_code text, add column if not exists observed_at timestamptz
  `),
]
