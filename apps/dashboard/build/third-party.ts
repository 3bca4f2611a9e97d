import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

interface Notice {
  readonly title: string
  readonly text: string
}

const SEPARATOR = `\n${'-'.repeat(78)}\n\n`

/** Writes `dist/THIRD-PARTY.txt`: the licence of each package whose code is in the built files. */
export function thirdPartyNotices(folder: string): Plugin {
  const packages = new Set<string>()
  return {
    name: 'third-party-notices',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const modules = chunk.type === 'chunk' ? Object.keys(chunk.modules) : chunk.originalFileNames
        for (const module of modules) {
          const [root] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll('\0', '')) ?? []
          if (root !== undefined) packages.add(root)
        }
      }
    },
    closeBundle() {
      const found = new Map([...packages].map(noticeOf).map((notice) => [notice.title, notice]))
      const notices = [...found.values()].sort((a, b) => a.title.localeCompare(b.title, 'en'))
      const head = `The dashboard contains code of ${notices.length} packages under these licences.\n`
      const parts = notices.map(({ title, text }) => `${title}\n\n${text.trim()}\n`)
      writeFileSync(join(folder, 'dist', 'THIRD-PARTY.txt'), [head, ...parts].join(SEPARATOR))
    },
  }
}

/** Name, version and licence of the package in this folder. A package without a licence file names only its kind. */
function noticeOf(root: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const file = existsSync(root) ? readdirSync(root).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each)) : undefined
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(root, file), 'utf8')
  return { title: `${name} ${version} (${license})`, text: text.replaceAll('\r\n', '\n') }
}
