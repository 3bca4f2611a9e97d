import type { BlockProducerOptions } from './block-producer.ts'
import type { StoreRetention } from './store.ts'

/** Options that the parent process passes to the chain's process. */
export type ServeOptions = BlockProducerOptions & { readonly port: number; readonly keep: StoreRetention }
