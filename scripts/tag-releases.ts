// Creates the tags of released versions that this clone lacks, from deploy/releases.json: npm run release:tags
import { listedReleases, tagReleases } from '../deploy/releases.ts'

try {
  const made = tagReleases()
  const versions = listedReleases().map(({ version }) => `v${version}`)
  console.log(made.length > 0 ? `created ${made.join(', ')}` : `every tag exists: ${versions.join(', ')}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
