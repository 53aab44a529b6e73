import type { Hit } from '../intake/hit.ts'
import { type SampleClient, sampleAiClients, sampleBots, samplePeople, sampleReferrers } from './sample-clients.ts'
import { createSampleRandom, type SampleRandom } from './sample-random.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
export const sampleDays = 30

interface Crowd {
  clients: readonly SampleClient[]
  /** Visits of an ordinary weekday. */
  visits: number
  mostPages: number
  /** What of that comes on a Saturday or Sunday: people rest, crawlers do not. */
  weekend: number
  hasReferrers: boolean
}

const crowds: readonly Crowd[] = [
  { clients: samplePeople, visits: 40, mostPages: 5, weekend: 0.4, hasReferrers: true },
  { clients: sampleAiClients, visits: 26, mostPages: 4, weekend: 0.7, hasReferrers: false },
  { clients: sampleBots, visits: 4, mostPages: 2, weekend: 1, hasReferrers: false },
]

/**
 * Made-up views of the last 30 days, up to now. Each day is drawn by itself from its own date, and each view is named by its
 * date and number: drawn again, on the same day or a later one, those that were there have the same names.
 */
export function sampleHits({ pages, now }: { pages: readonly string[]; now: number }): Hit[] {
  const today = Math.floor(now / dayMs)
  const ranked = rankPages(pages)
  const days = Array.from({ length: sampleDays }, (_, place) => today - sampleDays + 1 + place)
  return days.flatMap((day) => hitsOfDay(day, ranked)).filter(({ at }) => at <= now)
}

/** Every visitor that any day's views can be by. */
export function sampleVisitorIds(): string[] {
  return crowds.flatMap(({ clients }) =>
    clients.flatMap((client) => Array.from({ length: client.visitors }, (_, number) => visitorIdOf(client, number))),
  )
}

function hitsOfDay(day: number, pages: readonly string[]): Hit[] {
  const start = day * dayMs
  const date = new Date(start).toISOString().slice(0, 10)
  const random = createSampleRandom(`traffic ${date}`)
  const isWeekend = [0, 6].includes(new Date(start).getUTCDay())
  const hits: Hit[] = []
  for (const crowd of crowds) {
    const visits = Math.round(crowd.visits * (isWeekend ? crowd.weekend : 1) * (0.85 + 0.3 * random.number()))
    for (let visit = 0; visit < visits; visit++) hits.push(...hitsOfVisit(crowd, { start, pages, random }))
  }
  return hits.map((hit, number) => ({ ...hit, id: `sample ${date} ${number}` }))
}

function hitsOfVisit(
  { clients, mostPages, hasReferrers }: Crowd,
  { start, pages, random }: { start: number; pages: readonly string[]; random: SampleRandom },
): Hit[] {
  const client = random.weighted(clients, ({ weight }) => weight)
  // Twice drawn, the lower counts: some visitors come back often, and most hardly.
  const number = Math.min(random.below(client.visitors), random.below(client.visitors))
  const length = 1 + Math.min(random.below(mostPages), random.below(mostPages))
  const begin = start + Math.floor(timeOfDay(random))
  const referrer = hasReferrers ? random.pick(sampleReferrers) : null
  return Array.from({ length }, (_, place) => ({
    source: 'events' as const,
    // A visit that begins before midnight stays in its day, or tomorrow's count would change with it.
    at: Math.min(begin + place * (minuteMs + random.below(3 * minuteMs)), start + dayMs - 1),
    path: random.weighted(pages, (_page, rank) => 1 / (rank + 1.5)),
    referrer: place === 0 ? referrer : null,
    id: null,
    visitorId: visitorIdOf(client, number),
    category: null,
    userAgent: client.userAgent,
    accept: client.accept,
    acceptLanguage: client.accept.startsWith('text/html,') ? 'en-GB,en;q=0.9' : null,
  }))
}

/** Most of it in working hours, some of it around the clock. */
function timeOfDay(random: SampleRandom): number {
  if (random.number() < 0.2) return random.number() * dayMs
  return ((7 + 6 * (random.number() + random.number())) / 24) * dayMs
}

/** The home page first; the others in an order that has nothing to do with the alphabet, and is always the same. */
function rankPages(pages: readonly string[]): string[] {
  const placed = pages.map((page) => ({ page, place: page === '/' ? -1 : createSampleRandom(page).number() }))
  return placed.sort((one, other) => one.place - other.place).map(({ page }) => page)
}

function visitorIdOf({ name }: SampleClient, number: number): string {
  return `sample ${name} ${number}`
}
