import { type Config, ConfigError } from '../../../server/src/config.ts'
import { readVenuesFile } from '../../../server/src/main/start/seed-venues.ts'
import { type Finding, ok, problem } from './findings.ts'

/** The form of VENUES_FILE; nothing if it is unset. `venues check` compares its entries with their chains. */
export async function checkVenuesFile(config: Pick<Config, 'venuesFile'>): Promise<Finding[]> {
  if (config.venuesFile === undefined) return []
  try {
    const entries = await readVenuesFile(config)
    return [ok(`VENUES_FILE has ${entries.length} entries; weir venues check compares them with their chains`)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((line) => problem(line, 'correct the entry: docs/venues.md describes each code'))
  }
}
