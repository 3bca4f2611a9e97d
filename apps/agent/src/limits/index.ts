export { exceededLimit, limitsText, type Usage, usageOf } from './exceeded-limit.ts'
export { type CountedMove, type Limits, type Move, NO_LIMITS, WINDOW_MS } from './limits.ts'
export { parseLimits } from './parse-limits.ts'
