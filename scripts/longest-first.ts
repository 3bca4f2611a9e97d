import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of a minute and more, by how they end. */
const LONGEST = [
  'simulate/simulation.test.ts',
  'simulate/sabotage.test.ts',
  'agent/system/agent.test.ts',
  'agent/system/interruptions.test.ts',
  'server/system/process.test.ts',
  'server/system/fuzz.test.ts',
]

/** The longest files begin first: one that begins last runs alone, while every other worker has nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((end) => moduleId.endsWith(end))
      return found === -1 ? LONGEST.length : found
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
