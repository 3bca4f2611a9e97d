import type { AllowList } from '../allow-list.ts'
import { parseAllowList } from '../parse-allow-list.ts'
import written from './sandbox.json' with { type: 'json' }

/** The embedded development chains: written by `scripts/write-sandbox-allow-list.ts` from what they carry. */
export const sandboxAllowList: AllowList = parseAllowList(written)
