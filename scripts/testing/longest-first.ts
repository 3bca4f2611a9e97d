import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Suffixes of the test files that take a minute or so. */
const LONGEST = [
  'dashboard/system/dashboard.test.ts',
  'server/system/venues/venue-states.test.ts',
  'dashboard/system/sessions-and-drafts.test.ts',
  'simulate/simulation.test.ts',
  'agent/system/tours.test.ts',
  'sdk/system/sdk.test.ts',
  'agent/system/agent.test.ts',
  'server/system/fuzzing/request-cost.test.ts',
  'server/system/processes/process.test.ts',
  'server/system/access/authorization.test.ts',
  'simulate/sabotage.test.ts',
  'server/system/fuzzing/fuzz.test.ts',
  'cli/system/cli.test.ts',
  'server/system/documents/readme.test.ts',
  'agent/system/interruptions.test.ts',
  'submission/crash-recovery.test.ts',
  'server/system/processes/cluster.test.ts',
]

/** Starts the longest files first: one that starts last runs alone while all other workers are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((end) => moduleId.endsWith(end))
      return found === -1 ? LONGEST.length : found
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
