import { type Clock, RPC_LACKING_METHOD_RETRY_MS } from '../../../kernel/index.ts'

/** Optional methods that a node of this chain lacks. They are called again after a while: the next node may have them. */
export interface UnsupportedMethods {
  has(method: string): boolean
  add(method: string): void
}

export function createUnsupportedMethods(clock: Clock): UnsupportedMethods {
  const until = new Map<string, number>()
  return {
    has: (method) => (until.get(method) ?? 0) > clock.now().getTime(),
    add(method) {
      until.set(method, clock.now().getTime() + RPC_LACKING_METHOD_RETRY_MS)
    },
  }
}
