import { expect, test } from 'vitest';
import { providerView } from '#test/support/tenantView.ts';
import { meets } from '#test/support/meets.ts';
import { imageSource, packView, type TenantView, unpackView, webHref } from './tenant.ts';

test.each([
  ['https://clinic.example/a?b=c', 'https://clinic.example/a?b=c'],
  ['clinic.example', 'https://clinic.example/'],
  ['clinic.example:8443/x', 'https://clinic.example:8443/x'],
  ['HTTP://Clinic.Example', 'http://clinic.example/'],
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)//.example', null],
  ['data:text/html,<script>', null],
  ['not a host', null],
  ['', null],
  [null, null],
])('website %j becomes the link %j', (value, expected) => {
  meets('P2.success.18 P2.map.21');
  expect(webHref(value)).toBe(expected);
});

test('a picture elsewhere is asked of our own origin; a new address makes a new link', () => {
  const first = imageSource('logo', 7, 'https://clinic.example/a.png');
  expect(first).toMatch(/^\/media\/logo\/7\?v=[0-9a-z]+$/);
  expect(imageSource('logo', 7, 'https://clinic.example/b.png')).not.toBe(first);
  expect(imageSource('image', 7, '/pictures/a.png')).toBe('/pictures/a.png');
  expect(imageSource('image', 7, 'data:image/svg+xml,%3Csvg/%3E')).toBe('data:image/svg+xml,%3Csvg/%3E');
  for (const refused of [null, '', 'javascript:alert(1)', '//elsewhere.example/a.png', 'data:text/html,x'])
    expect(imageSource('logo', 7, refused)).toBeNull();
});

test('a packed view reads back whole, each field in its place', () => {
  const view: TenantView = {
    id: 7,
    name: 'Name',
    practiceName: 'Practice',
    label: 'Label',
    initial: 'N',
    logoUrl: '/logo.png',
    imageUrl: '/image.png',
    phone: '(303) 555-0142',
    phoneHref: 'tel:3035550142',
    websiteHref: 'https://clinic.example/',
    address: '1 Main St',
    zipCode: '80202',
    latitude: '39.7',
    longitude: '-105',
    domain: 'clinic.example',
    destination: '1%20Main%20St%2080202',
    shareImage: '/og/7.png',
    iconTag: 'a1',
    themeHue: 210,
    acceptsFreeConsultation: true,
    acceptsFinancing: false,
    measuresAds: true,
    clinician: 'Ada Lark, MD',
    npi: '1234567893',
    certifiedSince: '2019',
    about: 'One\nTwo',
    street: '1 Main St',
    city: 'Denver',
    state: 'CO',
    hours: 'Mon 09:00-17:00; Tue closed; Wed closed; Thu closed; Fri closed; Sat closed; Sun closed',
    timeZone: 'America/Denver',
    languages: 'English, Spanish',
    pictures: ['/media/picture-1/7?v=a'],
    bookingUrl: 'https://clinic.example/book',
    plate: '/og/plate/7/a.svg',
    dayTimes: [],
    openingHours: [],
    openNow: null,
  };
  expect(unpackView(packView(view))).toEqual(view);
});

test.each([
  [{ address: ' 1 Main St & Co ', latitude: 39.7, longitude: -105 }, '1%20Main%20St%20%26%20Co%2080202'],
  [{ address: ' ', latitude: 39.7, longitude: -105 }, '39.7,-105'],
  [{ address: null, latitude: 39.7, longitude: null }, null],
])('directions to %j lead to %j', (record, expected) => {
  expect(providerView({ id: 7, name: 'Clinic', ...record }).destination).toBe(expected);
});

test.each([
  ['1-800-GOT-SKIN', 'tel:8004687546'],
  ['+1 (800) NEW-SMILES', 'tel:8006397645'],
  ['(303) 555-skin', 'tel:3035557546'],
  ['303-555-0142 ext. 12', 'tel:3035550142'],
  ['303-555-0142 extension 12', 'tel:3035550142'],
  ['+13035550142;ext=12', 'tel:+13035550142'],
  ['303-555-0142 fax', 'tel:3035550142'],
  ['+44 20 7946 0958', 'tel:+442079460958'],
  ['CALL-US', null],
  ['303-555-0100;ext=55501', 'tel:3035550100'],
  ['303-555-0100,,22', 'tel:3035550100'],
  ['303-555-0100;isub=12345', 'tel:3035550100'],
  ['tel:303-555-0100;phone-context=+1', 'tel:3035550100'],
  ['Call 303-555-0100 or 720-555-0199', 'tel:3035550100'],
  ['Open 9-5: +1 (303) 555-0100', 'tel:+13035550100'],
  ['٣٠٣-٥٥٥-٠١٠٠', 'tel:3035550100'],
  ['３０３ー５５５ー０１００', 'tel:3035550100'],
  ['٣٠٣555٠١٠٠', 'tel:3035550100'],
  ['\u202a303-555-0100\u202c', 'tel:3035550100'],
  ['555-0100', 'tel:5550100'],
  ['1 (303) 555-0100', 'tel:13035550100'],
])('the phone number %s is called as %s', (phone, href) => {
  expect(providerView({ id: 7, name: 'Clinic', phone }).phoneHref).toBe(href);
});
