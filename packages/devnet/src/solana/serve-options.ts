import type { PaceOptions } from './pace.ts'
import type { StoreRetention } from './store.ts'

/** Options that the parent process passes to the chain's process. */
export type ServeOptions = PaceOptions & { readonly port: number; readonly keep: StoreRetention }
