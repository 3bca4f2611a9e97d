import { readFileSync } from 'node:fs'
import { type Config, ConfigError } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import type { Log } from '../../kernel/index.ts'
import {
  acceptVenuesFile,
  type ListedVenue,
  liveSeeds,
  parseVenuesFile,
  problemLine,
  seedCatalogue,
  type VenueSeed,
  VenuesFileError,
} from '../../venues/index.ts'
import { attributeToSetting } from './attribute-to-setting.ts'
import type { StartedChains } from './start-chains.ts'

/** The entries of VENUES_FILE; none if it is unset. Throws ConfigError with every entry that is malformed. */
export function readVenuesFile({ venuesFile: path }: Pick<Config, 'venuesFile'>): Promise<ListedVenue[]> {
  return naming(async () => {
    return path === undefined
      ? []
      : parseVenuesFile(await attributeToSetting('VENUES_FILE', () => readFileSync(path, 'utf8')))
  })
}

/** What a process that could not read every entry continues with. */
export interface SeededVenues {
  /** Weir's own list. */
  readonly own: readonly VenueSeed[]
  /** Entries whose chain is unavailable. */
  readonly waiting: readonly ListedVenue[]
}

/**
 * Writes the catalogue of the served chains: Weir's own list, and the operator's. Throws ConfigError with every entry of
 * the operator's that its chain contradicts.
 */
export async function seedVenues(
  parts: { readonly db: Database; readonly log: Log },
  entries: readonly ListedVenue[],
  { chains, remote, embedded }: StartedChains,
): Promise<SeededVenues> {
  const own = [...liveSeeds(remote), ...(embedded?.seeds ?? [])]
  const { seeds, waiting } = await naming(async () =>
    entries.length === 0 ? { seeds: [], waiting: [] } : await acceptVenuesFile({ ...parts, chains }, entries, own),
  )
  await seedCatalogue(parts.db, [...own, ...seeds], { chains: [...chains.keys()] })
  return { own, waiting }
}

async function naming<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof VenuesFileError)) throw error
    throw new ConfigError(error.problems.map((problem) => `VENUES_FILE ${problemLine(problem)}`))
  }
}
