/** `PAGES=all`, as `npm run test:pages` sets it: everything is looked at in every way. */
const isWhole = process.env.PAGES === 'all'

/** What a short run looks at: every third, another third for each `turn`, so that three turns see everything once. */
export const inShort = <T>(all: readonly T[], turn = 0): readonly T[] =>
  isWhole ? all : all.filter((_, at) => at % 3 === turn % 3)

/** How a page can look; a short run looks for barriers in one of them, and everything else in all. */
export const LOOKS = ['light', 'dark', 'phone'] as const
