import type { PaceOptions } from './pace.ts'
import type { StoreRetention } from './store.ts'

/** What the process that starts the chain tells the one that is it. */
export type ServeOptions = PaceOptions & { readonly port: number; readonly keep: StoreRetention }
