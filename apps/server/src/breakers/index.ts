export { type AcceptBreakerInput, acceptBreaker } from './accept-breaker.ts'
export { BREAKER_KINDS, observationText } from './breaker.ts'
export type { BreakerSettings } from './breaker-settings.ts'
export { STOPPING } from './breaker-states.ts'
export { evaluateBreakers } from './evaluate-breakers.ts'
export {
  type BreakerSettingsInForce,
  depositWarning,
  listBreakers,
  type NamedBreaker,
  readBreakerSettings,
  type StoppedStrategy,
  stoppedStrategies,
} from './read-breakers.ts'
export { setBreakerSettings } from './set-breaker-settings.ts'
