import type { AllowList } from '../allow-list.ts'
import { parseAllowList } from '../parse-allow-list.ts'
import written from './sandbox.json' with { type: 'json' }

/** The embedded development chains. `scripts/venues/write-sandbox-allow-list.ts` generates it from their contracts. */
export const sandboxAllowList: AllowList = parseAllowList(written)
