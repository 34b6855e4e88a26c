import type { PublicProvider } from './providers.ts';
import { parseUrl } from '../formats/parseUrl.ts';
import { shareImagePath } from './shareImage.ts';
import { textTag } from '../formats/textTag.ts';

/**
 * What a page may know of the clinic it is drawn for. Every string a component prints is ready here, so a component never computes with
 * one: the server can then fill a page drawn once with each clinic's values (server/render/templates/template.ts).
 */
export interface TenantView {
  id: number;
  name: string;
  practiceName: string | null;
  /** practiceName, else name. */
  label: string;
  /** First letter of the name, upper case, for the avatar. */
  initial: string;
  logoUrl: string | null;
  imageUrl: string | null;
  phone: string | null;
  /** `tel:` link. */
  phoneHref: string | null;
  /** http(s) link, scheme added where the record had none; null when the record held anything else. */
  websiteHref: string | null;
  address: string | null;
  zipCode: string;
  /** Degrees, as text because they are printed; null unless both are known. */
  latitude: string | null;
  longitude: string | null;
  domain: string | null;
  /** Path of the picture that stands for a link to the clinic. */
  shareImage: string;
  /** Degrees 0–359; null for the brand's own colours. */
  themeHue: number | null;
  acceptsFreeConsultation: boolean;
  acceptsFinancing: boolean;
  /** Whether the clinic has ad accounts; their ids stay on the server until a visitor has agreed. */
  measuresAds: boolean;
}

/** A view without the names of its fields, which 100,000 clinics' records and every page would repeat. */
export type PackedView = [
  id: number,
  name: string,
  practiceName: string | null,
  label: string,
  initial: string,
  logoUrl: string | null,
  imageUrl: string | null,
  phone: string | null,
  phoneHref: string | null,
  websiteHref: string | null,
  address: string | null,
  zipCode: string,
  latitude: string | null,
  longitude: string | null,
  domain: string | null,
  shareImage: string,
  themeHue: number | null,
  acceptsFreeConsultation: boolean,
  acceptsFinancing: boolean,
  measuresAds: boolean,
];

export function packView(view: TenantView): PackedView {
  return [
    view.id,
    view.name,
    view.practiceName,
    view.label,
    view.initial,
    view.logoUrl,
    view.imageUrl,
    view.phone,
    view.phoneHref,
    view.websiteHref,
    view.address,
    view.zipCode,
    view.latitude,
    view.longitude,
    view.domain,
    view.shareImage,
    view.themeHue,
    view.acceptsFreeConsultation,
    view.acceptsFinancing,
    view.measuresAds,
  ];
}

export function unpackView(packed: PackedView): TenantView {
  const [id, name, practiceName, label, initial, logoUrl, imageUrl, phone, phoneHref, websiteHref, ...rest] =
    packed;
  const [address, zipCode, latitude, longitude, domain, shareImage, themeHue, ...offers] = rest;
  const [acceptsFreeConsultation, acceptsFinancing, measuresAds] = offers;
  return {
    id,
    name,
    practiceName,
    label,
    initial,
    logoUrl,
    imageUrl,
    phone,
    phoneHref,
    websiteHref,
    address,
    zipCode,
    latitude,
    longitude,
    domain,
    shareImage,
    themeHue,
    acceptsFreeConsultation,
    acceptsFinancing,
    measuresAds,
  };
}

/** Whether two views say the same, read at one time or not. */
export function isSameView(one: TenantView, other: TenantView | null): boolean {
  return one === other || (one.id === other?.id && JSON.stringify(one) === JSON.stringify(other));
}

/** An http(s) link from what a record holds (`https://` is added where the scheme is missing); null for `javascript:` and the like. */
export function webHref(value: string | null): string | null {
  if (value === null || value.trim() === '') return null;
  const text = value.trim();
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.')
    ? url.href
    : null;
}

/**
 * Where a page takes a clinic's picture from: inline images and own paths as they are, a picture on another host through our own origin
 * (server/http/media.ts), so that no visitor's browser asks a third party. The tag changes with the address. Null for anything else.
 */
export function imageSource(kind: 'logo' | 'image', id: number, value: string | null): string | null {
  if (value === null) return null;
  if (/^(\/(?!\/)|data:image\/)/i.test(value)) return value;
  return /^https?:\/\//i.test(value) ? `/media/${kind}/${id}?v=${textTag(value)}` : null;
}

/** What a clinic's pages need to know that no public answer carries. */
export interface SiteSettings {
  themeHue: number | null;
  measuresAds: boolean;
}

/** What follows the number of a telephone: a dialler must not take its digits for the number's. */
const extension = /\s*(?:ext|x|#)[\s.:]*\d+\s*$/i;

/** The view of a public clinic; the one place where its printed strings are made. Null settings: of a clinic that isn't the page's own. */
export function toTenantView(provider: PublicProvider, settings: SiteSettings | null): TenantView {
  const digits = provider.phone?.replace(extension, '').replace(/[^\d+]/g, '') ?? '';
  const label = provider.practiceName || provider.name;
  const themeHue = settings?.themeHue ?? null;
  const { latitude, longitude } = provider;
  const isPlaced = latitude !== null && longitude !== null;
  return {
    id: provider.id,
    name: provider.name,
    practiceName: provider.practiceName || null,
    label,
    initial: /\p{L}|\p{N}/u.exec(provider.name)?.[0].toUpperCase() ?? '',
    logoUrl: imageSource('logo', provider.id, provider.logo_url),
    imageUrl: imageSource('image', provider.id, provider.image_url),
    phone: provider.phone || null,
    phoneHref: digits === '' ? null : `tel:${digits}`,
    websiteHref: webHref(provider.website),
    address: provider.address || null,
    zipCode: provider.zipCode,
    latitude: isPlaced ? String(latitude) : null,
    longitude: isPlaced ? String(longitude) : null,
    domain: provider.domain,
    shareImage: shareImagePath(provider.id, { provider: label, hue: themeHue }),
    themeHue,
    acceptsFreeConsultation: provider.accepts_free_consultation,
    acceptsFinancing: provider.accepts_financing,
    measuresAds: settings?.measuresAds ?? false,
  };
}
