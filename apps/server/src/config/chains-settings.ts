import { optional, setting } from './define-setting.ts'
import { directory, wholeNumber } from './setting-parsers.ts'

/** Embedded chains that several processes share. */
export const CHAINS_SETTINGS = {
  chainsFile: optional(
    'CHAINS_FILE',
    directory,
    'The `chains.json` that `weir chains` wrote: the embedded chains are those, shared by all processes that name the file (docs/sandbox.md). In the sandbox only. Unset: a process embeds its own',
  ),
  chainsPort: setting(
    'CHAINS_PORT',
    '3100',
    wholeNumber(0, 65_535),
    'Port of `weir chains` on 127.0.0.1; 0 picks a free one, another at each start',
  ),
} as const
